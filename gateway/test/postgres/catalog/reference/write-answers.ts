/**
 * Asks PostgreSQL 15 itself all captured statements:
 *
 *     node gateway/test/postgres/catalog/reference/write-answers.ts            writes what it answers
 *     node gateway/test/postgres/catalog/reference/write-answers.ts --check    fails where that is not what was written
 */
import { writeFile } from 'node:fs/promises';
import { brotliCompressSync } from 'node:zlib';
import { ANSWERS, readAnswers, shortened, type Answers } from '../support/answers.ts';
import { createAsk, objectNames, postgresSide, type Outcome } from '../support/compare.ts';
import { differenceOf } from '../support/differences.ts';
import { SAMPLE_TABLES } from '../support/sample-tables.ts';
import { statementFiles } from '../support/statements.ts';
import { DATABASE, prepareReference, READER } from './reference-tables.ts';
import { startReferenceServer } from './server.ts';

async function ask(): Promise<Answers> {
  const server = await startReferenceServer();
  try {
    await prepareReference(server, SAMPLE_TABLES);
    const side = await postgresSide(server.port, READER, DATABASE);
    const answer = createAsk(side, await objectNames(side));
    const answers: Record<string, Outcome[]> = {};
    for (const { name, statements } of statementFiles()) {
      const own: Outcome[] = [];
      for (const statement of statements) {
        const outcome = shortened(await answer(statement));
        // Rows that differ are not compared.
        own.push(differenceOf(statement) === null ? outcome : { ...outcome, rows: [] });
      }
      answers[name] = own;
    }
    await side.close();
    return answers;
  } finally {
    await server.stop();
  }
}

const answers = await ask();
const count = Object.values(answers).flat().length;
if (process.argv.includes('--check')) {
  const written = readAnswers();
  const changed = Object.entries(answers).flatMap(([name, own]) =>
    own.flatMap((outcome, i) =>
      JSON.stringify(outcome) === JSON.stringify(written[name]?.[i]) ? [] : [`${name} ${i + 1}`],
    ),
  );
  process.stdout.write(`${count} statements asked of PostgreSQL; changed: ${changed.join(', ') || 'none'}\n`);
  process.exitCode = changed.length === 0 ? 0 : 1;
} else {
  const compressed = brotliCompressSync(JSON.stringify(answers));
  await writeFile(ANSWERS, compressed);
  process.stdout.write(`${count} answers, ${compressed.length} bytes\n`);
}
