/** In place of Fastify's own schema compilers, which would be loaded with it (40 ms) although all schemas here are zod's. */

function noOther(): never {
  throw new Error('the schemas of the admin API are checked by zod');
}

/** For the option `schemaController` of an app. */
export const noCompilers = {
  compilersFactory: { buildValidator: noOther, buildSerializer: noOther },
};
