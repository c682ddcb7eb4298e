import { isObject } from './attribute-value.ts';
import type { Sliced } from '../../scheduling/sliced-work.ts';
import type { ColumnSink } from './column-sink.ts';
import { MalformedBodyError } from './malformed-body.ts';
import { OthersDocument } from './others-document.ts';
import { putValue } from './scan-items.ts';
import type { WantedAttributes } from './wanted-attributes.ts';

/** Items put before others may have their turn. */
const sliceItems = 50;

/** The general path: puts parsed items into the sinks. Returns how many. Throws MalformedBodyError. */
export function* putItems(
  items: readonly unknown[],
  sinks: readonly ColumnSink[],
  wanted: WantedAttributes,
): Sliced<number> {
  const others = new OthersDocument();
  for (const [row, item] of items.entries()) {
    if (row % sliceItems === sliceItems - 1) yield;
    if (!isObject(item)) throw new MalformedBodyError('an item is no object');
    for (const [name, value] of Object.entries(item)) {
      const attribute = wanted.of(name);
      if (attribute === undefined) continue;
      putValue(sinks, row, attribute, value);
      if (attribute.other !== null) others.add(attribute.other, value);
    }
    if (wanted.others !== null) others.put(sinks[wanted.others], row);
  }
  return items.length;
}
