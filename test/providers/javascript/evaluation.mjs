/** What both JavaScript SDKs have in common: the method of each type, and the fields of what it returns. */

const methods = {
  boolean: 'getBooleanDetails',
  string: 'getStringDetails',
  integer: 'getNumberDetails',
  float: 'getNumberDetails',
  object: 'getObjectDetails',
};

/** @returns the details of one flag, as the driver protocol names them */
export async function evaluate(client, { type, key, default: defaultValue, context }) {
  const details = await client[methods[type]](key, defaultValue, context);
  return {
    valueJson: JSON.stringify(details.value),
    variant: details.variant ?? null,
    reason: details.reason ?? null,
    errorCode: details.errorCode ?? null,
    errorMessage: details.errorMessage ?? null,
    flagMetadata: details.flagMetadata ?? {},
  };
}
