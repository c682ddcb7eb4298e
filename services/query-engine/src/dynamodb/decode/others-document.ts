/** What an item has beyond the attributes that anybody knows, as one document. */
import { compareUtf8 } from '../../logical/text-order.ts';
import { TypeCode } from '../column-batch.ts';
import { openAttributeValue } from './attribute-value.ts';
import type { ColumnSink } from './column-sink.ts';
import { plainJson } from './plain-json.ts';

export class OthersDocument {
  private members: (readonly [name: string, json: string])[] = [];

  /** Throws MalformedBodyError. */
  add(name: string, value: unknown): void {
    this.members.push([name, plainJson(openAttributeValue(value))]);
  }

  /** At the item's end. What has no such attribute is missing. */
  put(sink: ColumnSink | undefined, row: number): void {
    if (this.members.length === 0) return;
    const sorted = this.members.sort(([a], [b]) => compareUtf8(a, b));
    const text = sorted.map(([name, json]) => `${JSON.stringify(name)}:${json}`).join(',');
    sink?.setText(row, TypeCode.M, `{${text}}`);
    this.members = [];
  }

  clear(): void {
    this.members = [];
  }
}
