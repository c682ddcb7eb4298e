/** A call's answer on its HTTP/2 stream: headers, messages, and the status in the trailers. */
import { constants, type ServerHttp2Stream } from 'node:http2';
import type { ConnectError } from '@connectrpc/connect';
import { grpcStatusOk, headerGrpcStatus, setTrailerStatus } from '@connectrpc/connect/protocol-grpc';
import { gatherWrites } from '../gather-writes.ts';
import { enveloped } from './envelope.ts';
import { toHttp2 } from './headers.ts';

const RESPONSE_HEADERS = Object.freeze({
  [constants.HTTP2_HEADER_STATUS]: 200,
  'content-type': 'application/grpc+proto',
});

export interface Answer {
  /** A message, in pieces. Resolves when the next may be written. The first sends the headers, so these must be complete by then. */
  readonly write: (message: readonly Uint8Array[]) => Promise<void> | void;
  /** Ends the answer, with a status. Nothing may be written afterwards. */
  readonly end: (error: ConnectError | null) => void;
}

/** `header` and `trailer`: what the handler adds to them. */
export function answerOn(stream: ServerHttp2Stream, header: Headers, trailer: Headers): Answer {
  let status: ConnectError | null = null;
  gatherWrites(stream);
  const begin = (): void => {
    if (stream.headersSent || stream.closed) return;
    stream.respond({ ...RESPONSE_HEADERS, ...toHttp2(header) }, { waitForTrailers: true });
    stream.once('wantTrailers', () => {
      if (status === null) trailer.set(headerGrpcStatus, grpcStatusOk);
      else setTrailerStatus(trailer, status);
      stream.sendTrailers(toHttp2(trailer));
      // What a caller goes on to send is of no use to anyone; but the trailers have to be out before the stream is reset.
      if (!stream.readableEnded) setImmediate(() => stream.close(constants.NGHTTP2_NO_ERROR));
    });
  };
  return {
    write(message) {
      const [head, ...rest] = enveloped(message);
      begin();
      if (stream.closed) return;
      let hasRoom = stream.write(head);
      for (const piece of rest) hasRoom = stream.write(piece);
      if (hasRoom) return;
      // Whoever goes away instead is told by the stream's closing.
      return new Promise((resolve) => {
        const goOn = (): void => {
          stream.off('drain', goOn);
          stream.off('close', goOn);
          resolve();
        };
        stream.on('drain', goOn);
        stream.on('close', goOn);
      });
    },
    end(error) {
      status = error;
      begin();
      if (!stream.closed) stream.end();
    },
  };
}
