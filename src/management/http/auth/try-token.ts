/** Looks up the token of a request, in a header or to sign in: slows down guessing, and records the use. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Problem } from '../../../contract/problems.js';
import { hashSecret } from '../../store/secret.js';
import { systemActor } from '../../store/unit-of-work.js';
import { type Bearer, findBearerByHash } from '../../store/users/tokens.js';
import type { AdminContext } from '../context.js';
import { plainAddress } from './address-range.js';
import { type WrongTokenLimits, WrongTokens } from './wrong-tokens.js';

export class TokenTrial {
  readonly #context: AdminContext;
  readonly #wrong: WrongTokens;

  constructor(context: AdminContext, limits: WrongTokenLimits) {
    this.#context = context;
    this.#wrong = new WrongTokens(limits, context.now());
  }

  /** The user and the token itself. The headers that a problem needs are set on the reply. */
  async try(request: FastifyRequest, reply: FastifyReply, text: string): Promise<Bearer | Problem> {
    const nowMs = this.#context.now();
    const hash = hashSecret(text);
    const wasRight = this.#wrong.wasRight(hash);
    const waitSeconds = wasRight ? 0 : this.#wrong.secondsToWait(request.ip, nowMs);
    if (waitSeconds > 0) {
      reply.header('retry-after', waitSeconds);
      return new Problem('rate_limited', 'There were too many wrong tokens; try again later.');
    }
    const bearer = await this.#context.store.read((db) => findBearerByHash(db, hash));
    if (bearer === null) {
      const count = this.#wrong.noteWrong(request.ip, hash, nowMs);
      if (count > 0) await this.#auditWrong(request, count);
      reply.header('www-authenticate', 'Bearer');
      return tokenUnknown();
    }
    if (!wasRight) this.#wrong.noteRight(request.ip, hash, nowMs);
    this.#context.lastUsed.token(bearer.token.id, nowMs);
    return bearer;
  }

  /** One row for a series, not one per guess. That it cannot be written must not turn the 401 into something else. */
  async #auditWrong(request: FastifyRequest, count: number): Promise<void> {
    const { store } = this.#context;
    try {
      await store.write({ ...systemActor, address: plainAddress(request.ip) }, (write) =>
        write.audit('token.refuse', '', '', { wrongTokens: count }),
      );
    } catch (error) {
      request.log.warn(
        { event: 'wrong_tokens_not_recorded', err: error },
        'wrong tokens could not be recorded',
      );
    }
  }
}

export function tokenUnknown(): Problem {
  return new Problem('invalid_token', 'The token is not known to this server.');
}
