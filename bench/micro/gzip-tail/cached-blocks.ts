/** Delivery's way: deflate blocks made once, the tail stored behind them, the CRC continued. */
import { constants, crc32, deflateRawSync } from 'node:zlib';
import { importFrom } from '../../build.js';
import type { Contender } from '../contender.js';
import type { GzipInput } from './question.js';

export const contender: Contender<GzipInput, Uint8Array> = async ({ body, tail }, root) => {
  type Gzip = typeof import('../../../src/delivery/render/gzip.js');
  const gzip = await importFrom<Gzip>(root, 'delivery/gzip.js');
  const { endMember, gzipEndBytes, gzipHeader, storedHeadBytes } = gzip;
  const blocks = deflateRawSync(body, { finishFlush: constants.Z_SYNC_FLUSH });
  const blocksEnd = gzipHeader.byteLength + blocks.byteLength;
  const member = Buffer.alloc(blocksEnd + gzipEndBytes + 512);
  member.set(gzipHeader, 0);
  member.set(blocks, gzipHeader.byteLength);
  const crc = crc32(body);
  return () => {
    const tailLength = member.write(tail, blocksEnd + storedHeadBytes, 'latin1');
    return member.subarray(0, endMember(member, blocksEnd, tailLength, crc, body.byteLength));
  };
};
