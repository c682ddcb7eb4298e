/** Reads opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest, as far as tests look at it. */
import { BinaryReader } from '@bufbuild/protobuf/wire';

type AttributeValue = string | number | boolean | readonly string[];

export interface ReceivedSpan {
  /** `service.name` of whoever sent it. */
  readonly service: string;
  /** Hexadecimal; an absent parent is empty. */
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string;
  readonly name: string;
  /** 1 internal, 2 server, 3 client, 4 producer, 5 consumer. */
  readonly kind: number;
  readonly attributes: Readonly<Record<string, AttributeValue>>;
  /** 2: an error. */
  readonly status: number;
  readonly statusMessage: string;
  readonly events: number;
}

type Readers = Readonly<Record<number, (reader: BinaryReader) => void>>;

/** Reads a message's fields by number; the others are skipped. */
function fields(bytes: Uint8Array, readers: Readers): void {
  const reader = new BinaryReader(bytes);
  while (reader.pos < reader.len) {
    const [number, wireType] = reader.tag();
    const read = readers[number];
    if (read === undefined) reader.skip(wireType, number);
    else read(reader);
  }
}

const hex = (reader: BinaryReader): string => Buffer.from(reader.bytes()).toString('hex');

function anyValue(bytes: Uint8Array): AttributeValue {
  let value: AttributeValue = '';
  const texts: string[] = [];
  fields(bytes, {
    1: (reader) => (value = reader.string()),
    2: (reader) => (value = reader.bool()),
    3: (reader) => (value = Number(reader.int64())),
    4: (reader) => (value = reader.double()),
    5: (reader) => {
      fields(reader.bytes(), { 1: (element) => texts.push(String(anyValue(element.bytes()))) });
      value = texts;
    },
  });
  return value;
}

function keyValue(bytes: Uint8Array): readonly [string, AttributeValue] {
  let key = '';
  let value: AttributeValue = '';
  fields(bytes, {
    1: (reader) => (key = reader.string()),
    2: (reader) => (value = anyValue(reader.bytes())),
  });
  return [key, value];
}

function span(bytes: Uint8Array): Omit<ReceivedSpan, 'service'> {
  const read = {
    traceId: '',
    spanId: '',
    parentSpanId: '',
    name: '',
    kind: 0,
    status: 0,
    statusMessage: '',
    events: 0,
  };
  const attributes: (readonly [string, AttributeValue])[] = [];
  fields(bytes, {
    1: (reader) => (read.traceId = hex(reader)),
    2: (reader) => (read.spanId = hex(reader)),
    4: (reader) => (read.parentSpanId = hex(reader)),
    5: (reader) => (read.name = reader.string()),
    6: (reader) => (read.kind = reader.int32()),
    9: (reader) => void attributes.push(keyValue(reader.bytes())),
    11: (reader) => {
      reader.bytes();
      read.events += 1;
    },
    15: (reader) =>
      fields(reader.bytes(), {
        2: (inner) => (read.statusMessage = inner.string()),
        3: (inner) => (read.status = inner.int32()),
      }),
  });
  return { ...read, attributes: Object.fromEntries(attributes) };
}

/** All spans of a request, in its order. */
export function decodeTraces(bytes: Uint8Array): readonly ReceivedSpan[] {
  const found: ReceivedSpan[] = [];
  fields(bytes, {
    1: (reader) => {
      const spans: Omit<ReceivedSpan, 'service'>[] = [];
      let service = '';
      fields(reader.bytes(), {
        1: (resource) =>
          fields(resource.bytes(), {
            1: (attribute) => {
              const [key, value] = keyValue(attribute.bytes());
              if (key === 'service.name') service = String(value);
            },
          }),
        2: (scope) => fields(scope.bytes(), { 2: (inner) => void spans.push(span(inner.bytes())) }),
      });
      found.push(...spans.map((one) => ({ service, ...one })));
    },
  });
  return found;
}
