/**
 * The image's health check: exits with 0 when the delivery port of this container says that it serves, else with 1. A server
 * that drains is not healthy. The port is LOADOUT_PORT or 8080; one that only the configuration file names is not found.
 */
import { get as getHttp } from 'node:http';
import { get as getHttps } from 'node:https';

const answerMillisMax = 2_000;
// biome-ignore lint/style/noProcessEnv: this is a program of its own, which has no configuration but this variable.
const port = Number(process.env.LOADOUT_PORT || 8080);

/** @returns {Promise<boolean>} whether `GET /healthz` is responded to with 200 */
function isHealthy(get, options = {}) {
  return new Promise((resolve) => {
    const wanted = {
      host: '127.0.0.1',
      port,
      path: '/healthz',
      agent: false,
      timeout: answerMillisMax,
    };
    const request = get({ ...wanted, ...options }, (response) => {
      response.resume();
      resolve(response.statusCode === 200);
    });
    request.on('timeout', () => request.destroy(new Error('no response in time')));
    request.on('error', () => resolve(false));
  });
}

// The configuration file, too, can turn TLS on. The certificate is for the players' name, not for 127.0.0.1.
const healthy =
  (await isHealthy(getHttp)) || (await isHealthy(getHttps, { rejectUnauthorized: false }));
process.exit(healthy ? 0 : 1);
