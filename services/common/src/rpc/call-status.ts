import { Metadata, type StatusObject } from '@grpc/grpc-js';
import { Code, ConnectError } from '@connectrpc/connect';
import { findTrailerError } from '@connectrpc/connect/protocol-grpc';
import { CallStatusError } from './channel-call.ts';
import { CALLED_SERVICE_HEADER } from './error-mapping.ts';

const DETAILS_HEADER = 'grpc-status-details-bin';

/** Metadata that a call carries, as grpc-js wants it. */
export function metadataFrom(header: Headers): Metadata {
  const metadata = new Metadata();
  header.forEach((value, key) =>
    metadata.set(key, key.endsWith('-bin') ? Buffer.from(value, 'base64') : value),
  );
  return metadata;
}

/** Metadata as Connect gives it to callers. */
export function headersFrom(metadata: Metadata | null): Headers {
  const headers = new Headers();
  appendMetadata(headers, metadata);
  return headers;
}

export function appendMetadata(headers: Headers, metadata: Metadata | null): void {
  for (const key of Object.keys(metadata?.getMap() ?? {})) {
    for (const value of metadata?.get(key) ?? []) {
      headers.append(key, typeof value === 'string' ? value : value.toString('base64'));
    }
  }
}

function fromStatus({ code, details, metadata }: StatusObject): ConnectError {
  const headers = headersFrom(metadata);
  if (headers.has(DETAILS_HEADER)) {
    const detailed = findTrailerError(headers);
    if (detailed !== undefined) return detailed;
  }
  const known: Code = code in Code ? (code as number) : Code.Unknown;
  return new ConnectError(details, known, headers);
}

/** The failure of a call as a ConnectError that says which service was called, for fromConnectError. */
export function callError(error: unknown, calledService: string): ConnectError {
  const status = error instanceof CallStatusError ? fromStatus(error.status) : ConnectError.from(error);
  status.metadata.set(CALLED_SERVICE_HEADER, calledService);
  return status;
}

/** `penstock.query.v1.QueryService` is the query service to people. */
export function serviceLabel(typeName: string): string {
  return typeName.split('.')[1] ?? typeName;
}
