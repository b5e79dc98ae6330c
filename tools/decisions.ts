import type { ProjectFile } from './project-files.ts';

/** A page of docs/decisions. `superseded` says by which other one, and is empty where it holds as it is. */
export type Decision = { file: string; number: number; title: string; modules: readonly string[]; superseded: string };

/** Pages of decisions, from the root. */
export const decisionFiles = /^docs\/decisions\/\d[^/]*\.md$/;

const FORM = /^# (\d+)\. (.+)\n\nModule: ([\w-]+(?:, [\w-]+)*)(?:\. (Superseded .+))?\n\n/;
const REFERENCE = /\bdecisions\/(\d{4}(?:-[a-z0-9-]+)?)|\b[Dd]ecisions? \[?(\d{1,4})\b/g;
const LINK = /\]\((?!https?:|mailto:|#)([^)#\s]+)[^)]*\)/g;

/** Reads a decision; undefined if it doesn't begin with its number and title and the line "Module: …". */
export function readDecision({ path, text }: ProjectFile): Decision | undefined {
  const [, number, title, modules, superseded = ''] = FORM.exec(text) ?? [];
  if (number === undefined) return undefined;
  return { file: path.split('/').at(-1)!, number: Number(number), title: title!, modules: modules!.split(', '), superseded };
}

/** Names that decisions may give as their module: the modules and folders of the server, the apps, the packages, tools and tests. */
export function areasOf(files: readonly string[]): ReadonlySet<string> {
  const folders = files.flatMap(
    file => /^(?:apps\/server\/src\/modules|apps\/server\/src|apps|packages)\/([\w-]+)\//.exec(file)?.[1] ?? [],
  );
  const modules = files.flatMap(file => /^apps\/server\/src\/modules\/([\w-]+)\//.exec(file)?.[1] ?? []);
  return new Set([...folders, ...modules, 'tools', 'tests']);
}

/** Faults in the heads of decisions: form, number, module. */
export function decisionFindings(pages: readonly ProjectFile[], areas: ReadonlySet<string>): string[] {
  const fileOf = new Map<number, string>();
  return pages.flatMap(page => {
    const decision = readDecision(page);
    if (!decision) return [`${page.path} must begin with "# NUMBER. TITLE", an empty line and "Module: NAME, …"`];
    const findings = decision.modules
      .filter(name => !areas.has(name))
      .map(name => `${page.path} names the module ${name}, which is no module, app or package`);
    if (!decision.file.startsWith(`${String(decision.number).padStart(4, '0')}-`))
      findings.push(`${page.path} has the number ${decision.number} in its title and another one in its name`);
    const other = fileOf.get(decision.number);
    if (other) findings.push(`${page.path} has the number of ${other}: take the next free one`);
    fileOf.set(decision.number, decision.file);
    return findings;
  });
}

/** References to decisions that do not exist: by number ("decision 20") or by file name. */
export function deadReferences(files: readonly ProjectFile[], decisions: readonly ProjectFile[]): string[] {
  const names = new Set(decisions.map(({ path }) => /([^/]+)\.md$/.exec(path)![1]!));
  const numbers = new Set([...names].map(name => Number(name.slice(0, 4))));
  return files.flatMap(({ path, text }) =>
    [...text.matchAll(REFERENCE)].flatMap(([words, name, number]) =>
      (name?.includes('-') ? names.has(name) : numbers.has(Number(name ?? number)))
        ? []
        : [`${path} refers to ${words}, which is not there`],
    ),
  );
}

/** Relative links of a document to files that do not exist. @param exists of a path from the root */
export function deadLinks({ path, text }: ProjectFile, exists: (path: string) => boolean): string[] {
  return [...text.matchAll(LINK)].flatMap(([, link]) => {
    const target = new URL(link!, `file:///${path}`).pathname.slice(1);
    return exists(decodeURIComponent(target)) ? [] : [`${path} links to ${link}, which is not there`];
  });
}
