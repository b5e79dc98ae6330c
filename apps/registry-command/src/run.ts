import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline/promises';
import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import { openRegistry, type Registry, RegistryProblem, RegistryUnreachable } from '@portal/client';
import { Document } from 'yaml';
import { readApplyFile } from './apply-file.ts';
import { declarations, helpOf, overview, parsedOptions, readable } from './commands.ts';
import { completionOf } from './completion.ts';
import {
  type Credentials,
  credentialsFileOf,
  credentialsFrom,
  type Environment,
  forgetCredentials,
  storeCredentials,
} from './credentials.ts';
import { CommandFailure, exitCodes } from './failure.ts';
import { carryOut, dueSteps, invalidatedBy, type Plan, planOf, sections, stepsOf } from './plan.ts';
import { watch } from './watch.ts';

/** Settings and streams of a run. */
export type RunEnvironment = {
  environment: Environment;
  input: NodeJS.ReadableStream & { isTTY?: boolean };
  output: { write: (text: string) => unknown; isTTY?: boolean };
  errors: { write: (text: string) => unknown; isTTY?: boolean };
  /** Ends `watch`. */
  signal?: AbortSignal;
  fetch?: (url: string, init: RequestInit) => Promise<Response>;
};
type Options = Record<string, string | boolean | undefined>;
type Running = RunEnvironment & { words: string[]; options: Options; say: (line: string) => void; note: (line: string) => void };

/** Runs one command and returns its exit code: 0 all is well, 1 an error, 2 differences or not confirmed. */
export async function run(words: readonly string[], surroundings: RunEnvironment): Promise<number> {
  const { output, errors } = surroundings;
  const say = (line: string): void => void output.write(`${line}\n`);
  const note = (line: string): void => void errors.write(`${line}\n`);
  const asksHelp = words[0] === 'help';
  const [name = '', ...rest] = asksHelp ? words.slice(1) : words;
  const declaration = declarations.find(each => each.name === name);
  if (!declaration) {
    const isHelp = name === '' || name === '--help' || name === '-h';
    for (const line of isHelp ? overview() : [`registry: there is no command ${name}. Run registry --help.`]) (isHelp ? say : note)(line);
    return isHelp ? exitCodes.same : exitCodes.failed;
  }
  if (asksHelp || rest.includes('--help') || rest.includes('-h')) {
    for (const line of helpOf(declaration)) say(line);
    return exitCodes.same;
  }
  try {
    const { values, positionals } = parseArgs({
      args: rest,
      options: parsedOptions(declaration),
      allowPositionals: declaration.argument !== undefined,
    });
    if (positionals.length > 1 || (positionals.length === 0 && declaration.argument && !declaration.argument.optional))
      throw new CommandFailure(`registry ${name} takes one ${declaration.argument!.name}. Run registry ${name} --help.`);
    return await commands[name as keyof typeof commands]({ ...surroundings, words: positionals, options: values as Options, say, note });
  } catch (error) {
    for (const line of wordsOf(error, name)) note(line);
    return exitCodes.failed;
  }
}

function wordsOf(error: unknown, name: string): readonly string[] {
  if (error instanceof CommandFailure) return [...error.lines, `registry: ${error.message}`];
  if (error instanceof RegistryProblem)
    return [
      ...error.errors.flatMap(({ field, message }) => (field === undefined ? [] : [`${field}: ${message}`])),
      `registry: ${error.message} (${error.code}${error.traceId === null ? '' : `, trace ${error.traceId}`})`,
    ];
  if (error instanceof RegistryUnreachable) return [`registry: ${error.message}`];
  if (error instanceof Error && 'code' in error) return [`registry: ${error.message.split('\n')[0]}. Run registry ${name} --help.`];
  return [`registry: ${String(error)}`];
}

const open = ({ url, account, key }: Credentials, { fetch }: RunEnvironment): Registry =>
  openRegistry({ url, account, key, ...(fetch && { fetch }) });
const opened = async (running: Running): Promise<{ registry: Registry; credentials: Credentials }> => {
  const credentials = await credentialsFrom(running.environment);
  return { registry: open(credentials, running), credentials };
};

const commands = {
  async login(running: Running): Promise<number> {
    const { words, options, environment, say } = running;
    const url = readUrl(words[0]!);
    const account = (options['account'] as string | undefined) ?? environment['REGISTRY_ACCOUNT'] ?? (await asked(running, 'Account: '));
    const key = environment['REGISTRY_API_KEY'] || (await asked(running, 'API key: '));
    const credentials = { url, account: account.trim(), key: key.trim() };
    await probe(open(credentials, running));
    const file = credentialsFileOf(environment);
    await storeCredentials(file, credentials);
    say(`Stored the key for ${credentials.account} at ${url} in ${file}, readable by you alone.`);
    return exitCodes.same;
  },
  async logout({ environment, say }: Running): Promise<number> {
    await forgetCredentials(credentialsFileOf(environment));
    say('Deleted the stored key. It stays valid until you revoke it in the portal.');
    return exitCodes.same;
  },
  async get(running: Running): Promise<number> {
    const { words, options, say, output } = running;
    const { registry, credentials } = await opened(running);
    const [what] = words;
    if (what?.startsWith('/')) {
      const send = running.fetch ?? fetch;
      const answer = await send(`${credentials.url}/registry-api/v1/${encodeURIComponent(credentials.account)}${what}`, {
        headers: { authorization: `Bearer ${credentials.key}` },
      });
      const body = await answer.text();
      const isJson = /json/.test(answer.headers.get('content-type') ?? '');
      if (!answer.ok)
        throw new CommandFailure(isJson ? (JSON.parse(body) as { detail: string }).detail : `${answer.status} ${answer.statusText}`);
      output.write(isJson ? `${JSON.stringify(JSON.parse(body), null, 2)}\n` : body);
      return exitCodes.same;
    }
    if (what !== undefined && !(readable as readonly string[]).includes(what))
      throw new CommandFailure(`There is no ${what} to get. Known are ${readable.join(', ')}, and paths that begin with /.`);
    const chosen = sections.filter(({ name }) => what === undefined || name === what);
    const content: Record<string, unknown> = { version: 1, account: credentials.account };
    for (const { name, present } of chosen) content[name] = await present(registry);
    if (options['json']) say(JSON.stringify(content, null, 2));
    else {
      const document = new Document(content);
      document.commentBefore = ` yaml-language-server: $schema=${credentials.url}/schemas/apply-v1.json`;
      output.write(document.toString({ lineWidth: 0 }));
    }
    return exitCodes.same;
  },
  async diff(running: Running): Promise<number> {
    const plan = await planned(running, { prune: false, onlyCompares: true });
    const steps = stepsOf(plan);
    if (running.options['json']) running.say(JSON.stringify({ same: steps.length === 0, steps, unchecked: plan.unchecked }, null, 2));
    else for (const line of planLines(plan, running, false)) running.say(line);
    return steps.length === 0 ? exitCodes.same : exitCodes.differs;
  },
  async apply(running: Running): Promise<number> {
    const { options, say, note } = running;
    const plan = await planned(running, { prune: options['prune'] === true, onlyCompares: false });
    const due = dueSteps(plan);
    const isJson = options['json'] === true;
    if (!isJson) for (const line of planLines(plan, running, true)) say(line);
    if (due.length === 0) {
      if (isJson) say(JSON.stringify({ applied: false, steps: [] }));
      return exitCodes.same;
    }
    const invalid = invalidatedBy(plan);
    if (invalid > 0 && Number(options['accept-invalid'] ?? 0) !== invalid)
      throw new CommandFailure(`${harmed(invalid)} Nothing was changed. If you mean it, add --accept-invalid ${invalid}.`);
    if (options['yes'] !== true) {
      if (running.input.isTTY !== true || running.output.isTTY !== true) {
        note('registry: Nothing was changed. Add --yes to apply without a terminal to ask at.');
        return exitCodes.differs;
      }
      if (!/^y(es)?$/i.test((await asked(running, 'Apply? [y/N] ')).trim())) {
        say('Nothing was changed.');
        return exitCodes.differs;
      }
    }
    await carryOut(plan, isJson ? () => {} : say);
    if (isJson) say(JSON.stringify({ applied: true, steps: due }, null, 2));
    else say(`Applied ${due.length} ${due.length === 1 ? 'change' : 'changes'}.`);
    return exitCodes.same;
  },
  async watch(running: Running): Promise<number> {
    const { registry } = await opened(running);
    const seconds = Number(running.options['interval'] ?? 5);
    if (!Number.isInteger(seconds) || seconds < 1 || seconds > 3_600) throw new CommandFailure('--interval is 1 to 3600 seconds.');
    await watch(registry, {
      seconds,
      isJson: running.options['json'] === true,
      say: running.say,
      note: running.note,
      ...(running.signal && { signal: running.signal }),
    });
    return exitCodes.same;
  },
  async completion({ words, output }: Running): Promise<number> {
    const shell = words[0]!;
    if (!Object.hasOwn(completionOf, shell)) throw new CommandFailure(`There is no completion for ${shell}. Known are bash, zsh and fish.`);
    output.write(completionOf[shell as keyof typeof completionOf]());
    return exitCodes.same;
  },
} satisfies Record<string, (running: Running) => Promise<number>>;

async function planned(running: Running, how: { prune: boolean; onlyCompares: boolean }): Promise<Plan> {
  const file = running.options['file'] as string | undefined;
  if (file === undefined) throw new CommandFailure('Name the file: -f registry.yaml.');
  const content = await (file === '-' ? text(running.input) : readFile(file, 'utf8')).catch((error: NodeJS.ErrnoException) => {
    throw new CommandFailure(error.code === 'ENOENT' ? `There is no file ${file}.` : `${file} can’t be read: ${error.message}`);
  });
  // What is wrong in itself is found before anything is sent.
  const declared = readApplyFile(file, content);
  const { registry, credentials } = await opened(running);
  const { account } = declared.content;
  if (account !== undefined && account.toLowerCase() !== credentials.account.toLowerCase())
    throw new CommandFailure(`${file} is for ${account}, and the key for ${credentials.account}. Nothing was changed.`);
  return planOf(registry, declared, how);
}

/** Says how many announcements a plan harms. */
const harmed = (count: number): string =>
  count === 1 ? '1 announcement becomes invalid or loses its last ROA.' : `${count} announcements become invalid or lose their last ROA.`;

const signs = { create: ['+', 32], change: ['~', 33], delete: ['-', 31] } as const;

function planLines(plan: Plan, { environment, output }: Running, isApply: boolean): string[] {
  const isColoured = output.isTTY === true && !environment['NO_COLOR'] && environment['TERM'] !== 'dumb';
  const painted = (words: string, colour: number): string => (isColoured ? `\u001b[${colour}m${words}\u001b[0m` : words);
  const steps = stepsOf(plan);
  if (steps.length === 0) return ['The registry is as declared.'];
  const kept = isApply ? steps.length - dueSteps(plan).length : 0;
  const count = (action: keyof typeof signs): number => steps.filter(step => step.action === action).length;
  const invalid = invalidatedBy(plan);
  return [
    ...plan.sections.flatMap(({ section, plan: { steps: own, warnings } }) =>
      own.length === 0
        ? []
        : [
            section.title,
            ...own.flatMap(({ action, what, detail }) => {
              const [sign, colour] = signs[action];
              return [painted(`  ${sign} ${what}`, colour), ...detail.map(line => `      ${line}`)];
            }),
            ...warnings.map(warning => painted(`  ! ${warning}`, 33)),
          ],
    ),
    '',
    `${count('create')} to create, ${count('change')} to change, ${count('delete')} to delete.${kept > 0 ? ` The ${kept} to delete stay: add --prune to delete them.` : ''}`,
    ...(invalid > 0 ? [painted(harmed(invalid), 31)] : []),
    ...(plan.unchecked.length > 0 ? [`The registry didn’t check these changes. ${plan.unchecked.join('. ')}.`] : []),
  ];
}

/** Asks at a terminal, or reads a line of standard input. */
async function asked({ input, errors }: Running, question: string): Promise<string> {
  const lines = createInterface({ input, output: undefined as never });
  try {
    if (input.isTTY === true) errors.write(question);
    for await (const line of lines) return line;
    return '';
  } finally {
    lines.close();
  }
}

function readUrl(given: string): string {
  const url = URL.parse(/^https?:\/\//.test(given) ? given : `https://${given}`);
  if (!url) throw new CommandFailure(`${given} is not an address. Enter the portal’s, such as https://portal.example.net.`);
  const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname);
  if (url.protocol !== 'https:' && !isLocal) throw new CommandFailure('A key is sent over https only.');
  return url.origin;
}

/** Makes a call that any key may make, or be refused for its scopes: a wrong key, account or address is found out. */
async function probe(registry: Registry): Promise<void> {
  try {
    await registry.call('tasks.listTasks', { query: { limit: 1 } });
  } catch (error) {
    if (!(error instanceof RegistryProblem && error.code === 'API_KEY_SCOPE')) throw error;
  }
}
