/** The route that saves an edit of a content, or says what saving it would do. */
import { z } from 'zod';
import { lowestVersion } from '../../content/version-text.js';
import { Problem } from '../../contract/problems.js';
import { contentParams } from '../../contract/schemas/common.js';
import { savedSchema, stateCodes } from '../../contract/schemas/saved.js';
import { checkEditAhead } from '../authoring/check-edit.js';
import { previewSave, saveContent } from '../authoring/save-content.js';
import { problems } from '../http/problem-responses.js';
import { contentBodyBytesMax } from '../limits.js';
import { withContentDoubts } from './attribute-doubts.js';
import { commit } from './commit.js';
import { editBodySchema, readContentEdit } from './content-edit-body.js';
import type { AdminApp, AdminContext } from './context.js';
import { sendProblem } from './problem.js';

const putSchema = savedSchema.extend({
  dryRun: z.literal(true).optional().describe('There when nothing was saved.'),
  removedLines: z
    .array(z.string())
    .readonly()
    .optional()
    .describe('Of a dry run: app versions of the lines that the edit leaves out.'),
});

export function registerContentSave(app: AdminApp, context: AdminContext): void {
  const { store, checks, limits, work } = context;
  app.put(
    '/admin/v1/environments/:env/contents/:id',
    {
      config: { role: 'editor', publishes: true },
      bodyLimit: contentBodyBytesMax(limits),
      schema: {
        tags: ['contents'],
        description: `Saves an edit on top of the newest revision. The text goes to the line of appVersion (${lowestVersion} when left out), or lines has all lines; a field that is left out stays as it is. An edit that was not made from the newest revision (ifRevision) is refused, and the problem lists what was saved in between. A draft need not match the JSON Schema of its content: its faults are warnings with the code "schema_mismatch", and publishing it is refused.`,
        params: contentParams,
        body: editBodySchema,
        response: {
          200: putSchema,
          201: savedSchema,
          ...problems('line_not_found', 'revision_conflict', 'invalid_schema', ...stateCodes),
        },
      },
    },
    async (request, reply) => {
      const { env, id } = request.params;
      const edit = await readContentEdit(request.body, request.rawBody, limits, work);
      if (edit instanceof Problem) return sendProblem(reply, edit);
      // The copies of a large text are wanted no longer, and the rest may take a while.
      request.rawBody = null;
      await checkEditAhead(store, checks, env, id, edit);
      if (request.body.dryRun) {
        const value = await store.read((db) => previewSave(db, checks, env, id, edit));
        if (value instanceof Problem) return sendProblem(reply, value);
        const { created: _, ...would } = await withContentDoubts(context, request, env, value);
        return reply.send({ ...would, sequence: await store.sequence(), dryRun: true });
      }
      const { value, sequence } = await commit(context, request, (write) =>
        saveContent(write, checks, env, id, edit),
      );
      if (value instanceof Problem) return sendProblem(reply, value);
      const { created, ...saved } = await withContentDoubts(context, request, env, value);
      return reply.code(created ? 201 : 200).send({ ...saved, sequence });
    },
  );
}
