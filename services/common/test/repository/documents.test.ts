import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { parseCommandLine } from '../../../auth/src/admin/command-line.ts';
import { commands } from '../../../auth/src/admin/commands.ts';
import { budgetCommands } from '../../../auth/src/admin/budget-commands.ts';
import { claimCommands } from '../../../auth/src/admin/claim-commands.ts';
import { deadLetterCommands } from '../../../auth/src/admin/dead-letter-commands.ts';
import { pages, ROOT, settingsRead, type Page } from './support/pages.ts';

const CODE_BLOCK = /^ *```[^\n]*\n[\s\S]*?^ *```$/gm;
const LINK = /\[(?:[^\]\n]|\n(?!\n))*\]\(([^)\s]+)\)/g;

const withoutCode = (text: string): string =>
  text.replaceAll(CODE_BLOCK, '').replaceAll(/`[^`\n]*`/g, 'code');
const codeOf = (text: string): readonly string[] => [
  ...(text.match(CODE_BLOCK) ?? []),
  ...(text.replaceAll(CODE_BLOCK, '').match(/`[^`\n]+`/g) ?? []),
];

/** Anchors of a page's headings, as GitHub makes them. */
function anchorsOf(text: string): ReadonlySet<string> {
  const headings = text.replaceAll(CODE_BLOCK, '').matchAll(/^#+ (.+)$/gm);
  return new Set(
    [...headings].map(([, heading = '']) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  );
}

/** What is wrong with a link; null for nothing, and for links to elsewhere. */
function faultOf({ path, text }: Page, link: string): string | null {
  if (/^[a-z]+:/.test(link)) return null;
  const [file = '', anchor] = link.split('#', 2);
  const target = file === '' ? path : join(dirname(path), file);
  if (!existsSync(join(ROOT, target))) return `${path}: ${link} leads nowhere`;
  if (anchor === undefined) return null;
  const anchors = anchorsOf(file === '' ? text : readFileSync(join(ROOT, target), 'utf8'));
  return anchors.has(anchor) ? null : `${path}: ${link} names no heading of ${target}`;
}

/** Command lines of the admin CLI: noun, verb and what follows on the line. */
function adminCommands(text: string): readonly (readonly string[])[] {
  const lines = codeOf(text.replaceAll(/\\\n\s*/g, ' ')).flatMap((code) => code.split('\n'));
  return lines.flatMap((line) =>
    [...line.matchAll(/(?:\badmin -- |admin\/cli\.ts )([^`#|>\n]+)/g)].map(
      ([, command = '']) => command.match(/"[^"]*"|\S+/g) ?? [],
    ),
  );
}

describe('the documentation', () => {
  const all = pages();
  const known: Readonly<Record<string, object>> = {
    ...commands,
    'dead-letter': deadLetterCommands,
    budget: budgetCommands,
    claim: claimCommands,
  };

  it('has pages for newcomers and for operators', () => {
    expect(all.map(({ path }) => path)).to.include.members([
      'README.md',
      'services/README.md',
      'deploy/README.md',
      'deploy/helm/README.md',
      'deploy/operations/backup.md',
      'deploy/operations/scaling.md',
      'deploy/operations/upgrading.md',
      'deploy/operations/keys-and-secrets.md',
      'deploy/operations/dashboard.md',
      'deploy/operations/incidents.md',
    ]);
  });

  it('has no link that leads nowhere, nor to a heading that is not there', () => {
    const faults = all.flatMap((page) =>
      [...withoutCode(page.text).matchAll(LINK)].map(([, link = '']) => faultOf(page, link)),
    );
    expect(faults.length).to.be.greaterThan(100);
    expect(faults.filter((fault) => fault !== null)).to.deep.equal([]);
  });

  it('can be walked from the README to every page', () => {
    const reached = new Set<string>(['README.md']);
    for (const path of reached) {
      const page = all.find((one) => one.path === path);
      for (const [, link = ''] of page === undefined ? [] : withoutCode(page.text).matchAll(LINK)) {
        if (!/^[a-z]+:|^#/.test(link)) reached.add(join(dirname(path), link.split('#', 1)[0] ?? ''));
      }
    }
    expect([...reached]).to.include.members(all.map(({ path }) => path));
  });

  it('names only files of tests that there are', () => {
    for (const { path, text } of all) {
      for (const [, file = ''] of text.matchAll(/`((?:gateway|services|deploy)\/[\w./-]+\.ts)`/g)) {
        // Images and commands name files of the images, which have the same paths.
        expect(existsSync(join(ROOT, file)), `${file} in ${path}`).to.equal(true);
      }
    }
  });

  it('names only make targets that there are', () => {
    const makefile = readFileSync(join(ROOT, 'Makefile'), 'utf8');
    for (const { path, text } of all) {
      const named = codeOf(text).flatMap((code) => [...code.matchAll(/(?:^|`)\s*make ([a-z-]+)/gm)]);
      for (const [, target] of named) {
        expect(makefile, `make ${target} in ${path}`).to.match(new RegExp(`^${target}:`, 'm'));
      }
    }
  });

  it('names only settings that there are', () => {
    const read = settingsRead();
    for (const { path, text } of all) {
      for (const name of text.match(/\bPENSTOCK_[A-Z_]*[A-Z]\b/g) ?? []) {
        expect(read.has(name), `${name} in ${path}`).to.equal(true);
      }
    }
  });

  it('has admin commands that the command line takes', () => {
    const found = all.flatMap(({ path, text }) => adminCommands(text).map((words) => ({ path, words })));
    const nouns = new Set(found.map(({ words }) => words[0]));
    expect([...nouns].sort()).to.deep.equal(Object.keys(known).sort());
    for (const { path, words } of found) {
      const where = `${words.join(' ')} in ${path}`;
      expect(() => parseCommandLine(words), where).to.not.throw();
    }
  });

  it('calls admin commands by names that they have', () => {
    const named = all.flatMap(({ path, text }) =>
      [...text.matchAll(/`([a-z-]+) ([a-z-]+)[ `]/g)]
        .filter(([, noun = '']) => noun in known)
        .map((match) => ({ path, match })),
    );
    expect(named.length).to.be.greaterThan(5);
    for (const { path, match } of named) {
      const [whole, noun = '', verb] = match;
      expect(known[noun], `${whole} in ${path}`).to.have.property(String(verb));
    }
  });
});
