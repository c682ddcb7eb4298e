import { expect } from 'chai';
import {
  columnReference,
  comparison,
  conjunctsOf,
  expression,
  literal,
  and,
  TRUE_LITERAL,
} from '../../src/logical/build-expression.ts';
import { filter, limit, project, sort, values } from '../../src/logical/build-plan.ts';
import type { Column, Expression } from '../../src/logical/expression.ts';
import { outputColumns } from '../../src/logical/output.ts';
import { referencesInPlan, referencesOf } from '../../src/logical/references.ts';
import { structureNumbers } from '../../src/logical/structure.ts';
import { transformExpression, transformPlanExpressions, walkDeep } from '../../src/logical/visit.ts';

const a: Column = { id: 1, name: 'a' };
const b: Column = { id: 2, name: 'b' };
const number = (text: string): Expression => literal({ type: 'number', text });
const rows = values([a], [[number('1')]]);
const less = comparison('<', columnReference(a), number('5'));
const exists = expression({
  kind: 'Exists',
  plan: filter(values([b], []), [comparison('=', columnReference(a), columnReference(b))]),
});

describe('rewriting', () => {
  it('gives back the very same object when nothing changes', () => {
    const plan = limit(
      sort(filter(rows, [less, exists]), [
        { expression: columnReference(a), descending: false, nullsFirst: true },
      ]),
      3,
      0,
    );
    expect(transformPlanExpressions(plan, (node) => node)).to.equal(plan);
    expect(transformExpression(less, (node) => node)).to.equal(less);
  });

  it('reaches expressions inside subqueries, and keeps what did not change', () => {
    const plan = filter(rows, [less, exists]);
    const changed = transformPlanExpressions(plan, (node) =>
      node.kind === 'ColumnReference' && node.column.id === b.id
        ? columnReference({ id: 3, name: 'c' })
        : node,
    );
    expect([...referencesInPlan(changed)]).to.have.members([1, 3]);
    expect(changed.kind === 'Filter' && changed.predicates[0]).to.equal(less);
    expect(changed.kind === 'Filter' && changed.input).to.equal(rows);
  });

  it('freezes what it makes', () => {
    const changed = transformExpression(less, (node) => (node.kind === 'Literal' ? number('6') : node));
    expect(Object.isFrozen(changed)).to.equal(true);
  });

  it('walks every plan, those of subqueries included', () => {
    const kinds: string[] = [];
    walkDeep(filter(rows, [exists]), { plan: (node) => kinds.push(node.kind) });
    expect(kinds).to.deep.equal(['Filter', 'Filter', 'Values', 'Values']);
  });
});

describe('references', () => {
  it('include those of subqueries', () => {
    expect([...referencesOf(exists)]).to.have.members([1, 2]);
  });
});

describe('conjuncts', () => {
  it('are flattened, and TRUE is none', () => {
    const nested = and([less, and([exists, TRUE_LITERAL]), less]);
    expect(conjunctsOf(nested)).to.deep.equal([less, exists, less]);
    expect(conjunctsOf(TRUE_LITERAL)).to.deep.equal([]);
  });
});

describe('output columns', () => {
  it('pass through filters, sorts and limits, and are a projection’s own', () => {
    const projected = project(filter(rows, [less]), [{ column: b, expression: columnReference(a) }]);
    expect(outputColumns(limit(projected, 1, 0))).to.deep.equal([b]);
    expect(outputColumns(filter(rows, [less]))).to.deep.equal([a]);
  });
});

describe('structure numbers', () => {
  const structureOf = structureNumbers();
  const pos = { offset: 3, line: 1, column: 4 };

  it('are equal for expressions built alike, whatever their place', () => {
    expect(structureOf(comparison('<', columnReference(a, pos), number('5'), pos))).to.equal(
      structureOf(less),
    );
  });

  it('differ by operator, column, literal and order of operands', () => {
    const others = [
      comparison('<=', columnReference(a), number('5')),
      comparison('<', columnReference(b), number('5')),
      comparison('<', columnReference(a), number('5.0')),
      comparison('<', number('5'), columnReference(a)),
      literal({ type: 'text', value: '5' }),
      number('5'),
    ].map(structureOf);
    expect(new Set([...others, structureOf(less)]).size).to.equal(7);
  });

  it('of subqueries are equal only for the same object', () => {
    const twin = expression({ kind: 'Exists', plan: filter(values([b], []), [less]) });
    expect(structureOf(exists)).to.equal(structureOf(exists));
    expect(structureOf(exists)).not.to.equal(structureOf(twin));
  });
});
