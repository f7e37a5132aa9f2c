import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { isSigningSecret } from '../../../../src/contract/signing-secret.js';
import { makeSigningSecret, sign } from '../../../../src/management/webhooks/signature.js';

describe('sign', () => {
  const body = '{"type":"content.published","data":{"id":"größe"}}';
  const at = 1_760_000_000;

  it('signs as the reference implementation does', () => {
    for (let n = 0; n < 20; n++) {
      const secret = makeSigningSecret();
      const oracle = new Webhook(secret).sign('evt_1', new Date(at * 1000), body);
      expect(sign([secret], 'evt_1', at, body)).toBe(oracle);
    }
  });

  it('signs once per secret, each of which verifies alone', () => {
    const secrets = [makeSigningSecret(), makeSigningSecret()];
    const seconds = Math.floor(Date.now() / 1000);
    const headers = {
      'webhook-id': 'evt_1',
      'webhook-timestamp': String(seconds),
      'webhook-signature': sign(secrets, 'evt_1', seconds, body),
    };
    for (const secret of secrets) {
      expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body));
    }
    expect(() => new Webhook(makeSigningSecret()).verify(body, headers)).toThrow();
  });
});

describe('isSigningSecret', () => {
  it('takes what makeSigningSecret makes, and 24 to 64 bytes of anybody', () => {
    expect(isSigningSecret(makeSigningSecret())).toBe(true);
    for (const [bytes, right] of [
      [23, false],
      [24, true],
      [64, true],
      [65, false],
    ] as const) {
      const secret = `whsec_${Buffer.alloc(bytes, 7).toString('base64')}`;
      expect(`${bytes} ${isSigningSecret(secret)}`).toBe(`${bytes} ${right}`);
    }
  });

  it('refuses what is not base64 behind the prefix', () => {
    const base64 = Buffer.alloc(24, 7).toString('base64');
    for (const text of [base64, `whsec-${base64}`, `whsec_${base64}!`, `whsec_${base64}\n`, '']) {
      expect(isSigningSecret(text)).toBe(false);
    }
  });
});
