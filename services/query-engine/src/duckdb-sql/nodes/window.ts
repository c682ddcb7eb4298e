import { excludesPeers } from '../../logical/excluded-peers.ts';
import type { Column, WindowSpecification } from '../../logical/expression.ts';
import { outputColumns } from '../../logical/output.ts';
import type { Window } from '../../logical/plan.ts';
import type { Block } from '../block.ts';
import type { NodeWriter } from '../node-writer.ts';
import { columnName } from '../scope.ts';
import { peerPlaceColumns, writeInParts, type PeerPlaces } from '../window-parts.ts';
import { writeWindowCall } from '../window.ts';

/** Rows with the values of window functions. */
export function writeWindow(node: Window, writer: NodeWriter): Block {
  const columns = outputColumns(node.input);
  const kept = columns.map(({ id }) => ({ name: columnName(id), sql: columnName(id) }));
  const { block, placesOf } = withPeerPlaces(node, columns, writer);
  const functions = node.functions.map(({ column, call, window }) => {
    const places = placesOf.get(window);
    const value =
      places === undefined || !excludesPeers(call, window)
        ? writeWindowCall(call, window, columns, writer)
        : writeInParts(call, window, places, writer);
    return { name: writer.declare(column, value.type), sql: value.sql };
  });
  return writer.wrap({ ...block, select: [...kept, ...functions] });
}

/** The rows that windows are computed of; with their peers' places where frames leave peers out. */
function withPeerPlaces(
  { input, functions }: Window,
  columns: readonly Column[],
  writer: NodeWriter,
): { readonly block: Block; readonly placesOf: ReadonlyMap<WindowSpecification, PeerPlaces> } {
  const placesOf = new Map<WindowSpecification, PeerPlaces>();
  const block = writer.bare(writer.block(input));
  const added = functions.flatMap(({ call, window }) => {
    if (!excludesPeers(call, window)) return [];
    const places = {
      row: writer.freshAlias(),
      firstPeer: writer.freshAlias(),
      lastPeer: writer.freshAlias(),
    };
    placesOf.set(window, places);
    return peerPlaceColumns(places, window, columns, writer);
  });
  if (added.length === 0) return { block, placesOf };
  const kept = columns.map(({ id }) => ({ name: columnName(id), sql: columnName(id) }));
  return { block: writer.wrap({ ...block, select: [...kept, ...added] }), placesOf };
}
