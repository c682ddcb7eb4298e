/**
 * Keepalive on connections that are being renewed.
 *
 * A server that sends GOAWAY finishes the calls in flight (RFC 9113, section 6.8). Node.js then closes the client's
 * session, and cancels every later ping on it. grpc-js takes a cancelled ping for a dead connection and drops all its
 * calls (seen in 1.14.7, `transport.js`, maybeSendPing). So calls that outlived their connection's age by one
 * keepalive ended as UNAVAILABLE. Here a closing session answers its own pings: its calls end by themselves, or at
 * their deadlines.
 */
import http2 from 'node:http2';

type Ping = http2.ClientHttp2Session['ping'];
type PingCallback = (error: Error | null, durationMs: number, payload: Buffer) => void;

function pingWhileClosing(session: http2.ClientHttp2Session): Ping {
  const ping = session.ping.bind(session) as (...given: unknown[]) => boolean;
  const answered = (...given: unknown[]): boolean => {
    if (!session.closed || session.destroyed) return ping(...given);
    const callback = given.at(-1) as PingCallback;
    setImmediate(() => callback(null, 0, Buffer.alloc(0)));
    return true;
  };
  return answered;
}

let isKept = false;

/**
 * Makes all HTTP/2 clients of this process keep the calls of closing sessions. To be called before the first one
 * connects.
 */
export function keepClosingSessions(): void {
  if (isKept) return;
  isKept = true;
  const connect = http2.connect as (...given: unknown[]) => http2.ClientHttp2Session;
  const connectKept = (...given: unknown[]): http2.ClientHttp2Session => {
    const session = connect(...given);
    session.ping = pingWhileClosing(session);
    return session;
  };
  Object.assign(http2, { connect: connectKept });
}
