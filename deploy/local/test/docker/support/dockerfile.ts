import { DockerfileParser, type Copy, type JSONInstruction } from 'dockerfile-ast';

/** One instruction after FROM. `words` are its arguments, variables replaced, flags left out. */
export interface Instruction {
  readonly keyword: string;
  readonly words: readonly string[];
  /** As written after the keyword, variables replaced; what a shell runs. */
  readonly text: string;
  /** `--name=value` flags. */
  readonly flags: Readonly<Record<string, string>>;
}

/** One build stage. */
export interface Stage {
  readonly name: string;
  /** Another stage, or an image's name. */
  readonly from: string;
  readonly instructions: readonly Instruction[];
}

/** The stages of a Dockerfile, first to last. */
export function parseStages(dockerfile: string): readonly Stage[] {
  const parsed = DockerfileParser.parse(dockerfile);
  const globals = Object.fromEntries(
    parsed.getInitialARGs().map((arg) => {
      const [name = '', value = ''] = arg.getArgumentsContent()?.split('=') ?? [];
      return [name, value];
    }),
  );
  const replace = (text: string) =>
    text.replaceAll(/\$\{(\w+)\}/g, (all, name: string) => globals[name] ?? all);
  const stages: { name: string; from: string; instructions: Instruction[] }[] = [];
  for (const from of parsed.getFROMs())
    stages.push({
      name: from.getBuildStage() ?? '',
      from: replace(from.getImage() ?? ''),
      instructions: [],
    });
  let current = -1;
  for (const instruction of parsed.getInstructions()) {
    const keyword = instruction.getKeyword();
    if (keyword === 'FROM') current += 1;
    else
      stages[current]?.instructions.push({
        keyword,
        words: wordsOf(instruction as JSONInstruction),
        text: withoutContinuations(instruction.getArgumentsContent() ?? ''),
        flags: flagsOf(instruction as Copy),
      });
  }
  return stages;
}

/** The JSON form's strings, else the arguments between spaces. */
function wordsOf(instruction: JSONInstruction): readonly string[] {
  const strings = typeof instruction.getJSONStrings === 'function' ? instruction.getJSONStrings() : [];
  if (strings.length > 0) return strings.map((string) => string.getJSONValue());
  return instruction
    .getArguments()
    .map((argument) => argument.getValue())
    .filter((word) => !word.startsWith('--'));
}

function flagsOf(instruction: Copy): Readonly<Record<string, string>> {
  if (typeof instruction.getFlags !== 'function') return {};
  return Object.fromEntries(instruction.getFlags().map((flag) => [flag.getName(), flag.getValue() ?? '']));
}

const withoutContinuations = (text: string) => text.replaceAll(/\\\n\s*/g, '');

/** What an ENV instruction sets. */
export function assignments(text: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    [...text.matchAll(/(\w+)=(\S+)/g)].map(([, name = '', value = '']) => [name, value]),
  );
}
