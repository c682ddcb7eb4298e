/** Which relations a plan reads: PostgreSQL's word on what a statement is about. */
import { z } from 'zod';

export interface PlannedRelation {
  readonly schema: string;
  readonly name: string;
}

/** `EXPLAIN (VERBOSE, FORMAT JSON)`: of a tree of nodes what names relations, and what each computes. */
const node = z.looseObject({
  Schema: z.string().optional(),
  'Relation Name': z.string().optional(),
  get Plans() {
    return z.array(node).optional();
  },
});
const answer = z.tuple([z.looseObject({ Plan: node })]);

type PlanNode = z.infer<typeof node>;

function relationsOf(plan: PlanNode): readonly PlannedRelation[] {
  const { Schema: schema, 'Relation Name': name, Plans: below = [] } = plan;
  const own = schema === undefined || name === undefined ? [] : [{ schema, name }];
  return [...own, ...below.flatMap(relationsOf)];
}

/** @throws ZodError where it is no such plan; RangeError where it is deeper than the stack */
export const plannedRelations = (json: string): readonly PlannedRelation[] =>
  relationsOf(answer.parse(JSON.parse(json))[0].Plan);
