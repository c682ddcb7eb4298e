/**
 * Writes `proto/buf/validate/validate.proto` from the descriptor inside @bufbuild/protovalidate.
 *
 * buf needs the rules' source to compile ours, and would fetch it from a registry; the package carries only the
 * compiled descriptor. Printing that keeps `make proto` offline and the two at one version.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import {
  FieldDescriptorProto_Label as Label,
  FieldDescriptorProto_Type as Type,
  type DescriptorProto,
  type EnumDescriptorProto,
  type FieldDescriptorProto,
} from '@bufbuild/protobuf/wkt';
import { file_buf_validate_validate as file } from '@bufbuild/protovalidate/gen/buf/validate/validate_pb.js';

const SCALARS: Partial<Record<Type, string>> = {
  [Type.DOUBLE]: 'double', [Type.FLOAT]: 'float', [Type.INT64]: 'int64', [Type.UINT64]: 'uint64', [Type.INT32]: 'int32',
  [Type.FIXED64]: 'fixed64', [Type.FIXED32]: 'fixed32', [Type.BOOL]: 'bool', [Type.STRING]: 'string', [Type.BYTES]: 'bytes',
  [Type.UINT32]: 'uint32', [Type.SFIXED32]: 'sfixed32', [Type.SFIXED64]: 'sfixed64', [Type.SINT32]: 'sint32', [Type.SINT64]: 'sint64',
}; // oxfmt-ignore

const LABELS: Partial<Record<Label, string>> = {
  [Label.REPEATED]: 'repeated ',
  [Label.OPTIONAL]: 'optional ',
};

function printField(
  field: FieldDescriptorProto,
  maps: Map<string, DescriptorProto>,
  indent: string,
  inOneof: boolean,
): string {
  const entry = maps.get(field.typeName.split('.').at(-1) ?? '');
  const type = (f: FieldDescriptorProto): string => SCALARS[f.type] ?? f.typeName;
  if (entry !== undefined) {
    const [key, value] = entry.field;
    return `${indent}map<${type(key!)}, ${type(value!)}> ${field.name} = ${field.number};\n`;
  }
  return `${indent}${inOneof ? '' : (LABELS[field.label] ?? '')}${type(field)} ${field.name} = ${field.number};\n`;
}

function printEnum(desc: EnumDescriptorProto, indent: string): string {
  return `${indent}enum ${desc.name} {\n${desc.options?.allowAlias ? `${indent}  option allow_alias = true;\n` : ''}${desc.value.map((v) => `${indent}  ${v.name} = ${v.number};\n`).join('')}${indent}}\n`;
}

function printMessage(desc: DescriptorProto, indent: string): string {
  const inner = `${indent}  `;
  const maps = new Map(desc.nestedType.filter((n) => n.options?.mapEntry).map((n) => [n.name, n]));
  let out = `${indent}message ${desc.name} {\n`;
  for (const nested of desc.enumType) out += printEnum(nested, inner);
  for (const nested of desc.nestedType) if (!maps.has(nested.name)) out += printMessage(nested, inner);
  for (const field of desc.field)
    if (!Object.hasOwn(field, 'oneofIndex')) out += printField(field, maps, inner, false);
  desc.oneofDecl.forEach((oneof, index) => {
    const fields = desc.field.filter((f) => Object.hasOwn(f, 'oneofIndex') && f.oneofIndex === index);
    out += `${inner}oneof ${oneof.name} {\n${fields.map((f) => printField(f, maps, `${inner}  `, true)).join('')}${inner}}\n`;
  });
  for (const range of desc.extensionRange)
    out += `${inner}extensions ${range.start} to ${range.end === 536870912 ? 'max' : range.end - 1};\n`;
  return `${out}${indent}}\n`;
}

const proto = file.proto;
let text = `// Written by proto/tools/write-validate-proto.ts from the descriptor in @bufbuild/protovalidate. Do not edit.\n// Apache-2.0, Buf Technologies, Inc.\nsyntax = "${proto.syntax || 'proto2'}";\n\npackage ${proto.package};\n\n`;
text += proto.dependency.map((d) => `import "${d}";\n`).join('') + '\n';
for (const desc of proto.enumType) text += printEnum(desc, '') + '\n';
for (const desc of proto.messageType) text += printMessage(desc, '') + '\n';
for (const extension of proto.extension)
  text += `extend ${extension.extendee} {\n${printField(extension, new Map(), '  ', false)}}\n`;

// `make check` prints into a folder of its own, to compare.
const target = process.argv[2] ?? new URL('../buf/validate/validate.proto', import.meta.url).pathname;
mkdirSync(dirname(target), { recursive: true });
writeFileSync(target, text);
