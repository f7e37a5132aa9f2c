/** Receivers that verify the signature of a message, as Standard Webhooks specifies: ready to paste. */

export interface Snippet {
  readonly label: string;
  readonly text: string;
}

/** With the package of the standard's authors. */
const javaScript = `import { createServer } from 'node:http';
import { Webhook } from 'standardwebhooks';

const webhook = new Webhook(process.env.WEBHOOK_SECRET);
createServer(async (request, response) => {
  let text = '';
  for await (const piece of request) text += piece;
  try {
    const { type, data } = webhook.verify(text, request.headers);
    console.log(type, data);
    response.writeHead(204).end();
  } catch {
    response.writeHead(400).end(); // not from Loadout, or too old
  }
}).listen(9000);`;

/** With Python's standard library alone. */
const python = `import base64, hashlib, hmac, os, time

def verify(headers, body: bytes) -> bool:
    """headers: a mapping with lower-case names; body: as it came."""
    sent = headers["webhook-timestamp"]
    if abs(time.time() - int(sent)) > 300:
        return False  # too old
    secret = base64.b64decode(os.environ["WEBHOOK_SECRET"].removeprefix("whsec_"))
    signed = f'{headers["webhook-id"]}.{sent}.'.encode() + body
    expected = base64.b64encode(hmac.new(secret, signed, hashlib.sha256).digest())
    return any(
        hmac.compare_digest(part.removeprefix("v1,").encode(), expected)
        for part in headers["webhook-signature"].split(" ")
    )`;

export const verifySnippets: readonly Snippet[] = [
  { label: 'JavaScript', text: javaScript },
  { label: 'Python', text: python },
];
