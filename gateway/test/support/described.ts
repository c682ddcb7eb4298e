import { expect } from 'chai';
import { paths } from '../../src/openapi/document.ts';
import { bodies, type BodyName } from '../../src/openapi/schemas.ts';

interface Sent {
  readonly status: number;
  readonly text: string;
  readonly body: unknown;
}

/** `/v1/schemas/{schemaName}` matches `/v1/schemas/shop`. */
function templateOf(path: string): string | undefined {
  const [pathname = ''] = path.split('?');
  return Object.keys(paths).find((template) =>
    new RegExp(`^${template.replaceAll('.', '[.]').replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(pathname),
  );
}

const nameIn = (response: object): BodyName | undefined =>
  /"\$ref":"#\/components\/schemas\/(\w+)"/.exec(JSON.stringify(response))?.[1] as BodyName | undefined;

/** An answer of a described operation must have a described status, and a body of the described shape. */
export function expectDescribed(method: string, path: string, answer: Sent): void {
  const operation = paths[templateOf(path) ?? '']?.[method.toLowerCase()];
  if (operation === undefined) return;
  const response = operation.responses[String(answer.status)];
  expect(response, `${method} ${path} has no ${answer.status} in the document: ${answer.text}`).to.not.equal(
    undefined,
  );
  const name = nameIn(response!);
  if (name === undefined) return;
  const checked = bodies[name].safeParse(answer.body);
  expect(checked.success, `${method} ${path}: ${checked.error?.message} in ${answer.text}`).to.equal(true);
}
