/** What a problem code of a rejected request means, and where to look for its cause. */

export interface RejectionHint {
  readonly means: string;
  readonly look: string;
}

const hints: Readonly<Record<string, RejectionHint>> = {
  invalid_api_key: {
    means: 'The API key is missing, unknown, revoked, expired or for events only.',
    look: 'Under Environments: which keys are active, and when each was last used.',
  },
  content_not_found: {
    means:
      'The game requests an id that is not live in its environment, or not for its app version.',
    look: 'Under Content: drafts that were never published, and deleted items.',
  },
  not_found: {
    means: 'The API has no such path.',
    look: 'The base URL and the paths in the game.',
  },
  method_not_allowed: {
    means: 'Contents are requested with POST, the catalog with GET.',
    look: 'The HTTP method in the game.',
  },
  invalid_content_type: {
    means: 'The header Content-Type: application/json is missing.',
    look: 'The headers that the game sends.',
  },
  invalid_body: {
    means: 'The body is not a JSON object with valid u, p and v.',
    look: 'The user context that the game sends; the detail of the response names the error.',
  },
  invalid_query: {
    means: 'A query parameter is missing or not understood.',
    look: 'The combine calls of the game; the detail of the response names the parameter.',
  },
  invalid_sequence: {
    means: 'The header X-Min-Sequence is not a whole number.',
    look: 'Where the game sets X-Min-Sequence.',
  },
  body_too_large: {
    means: 'The user context is larger than the server accepts.',
    look: 'How many attributes the game sends.',
  },
  request_timeout: {
    means: 'The body did not arrive in time.',
    look: 'The network between the players and this server.',
  },
  rate_limited: {
    means: 'A key makes more requests than --key-rate-max allows.',
    look: 'How often the game sends requests, or the limit.',
  },
  overloaded: {
    means: 'The server has more work than it can finish in time.',
    look: 'The charts below: response time, event loop delay and render pool.',
  },
  sequence_not_reached: {
    means: 'An edit that the client waits for did not reach this server in time.',
    look: 'Published sequence, above, and the server log.',
  },
  internal: { means: 'The server failed.', look: 'The server log says why.' },
};

export function rejectionHint(code: string): RejectionHint {
  return hints[code] ?? { means: 'The response says why.', look: 'The server log.' };
}
