import { existsSync } from 'node:fs';
import path from 'node:path';
import { coreModelFindings } from './core-model.ts';
import { areasOf, deadLinks, deadReferences, decisionFiles, decisionFindings } from './decisions.ts';
import { projectFiles } from './project-files.ts';
import { root } from './root.ts';

/** A source file as documents name it: `restrictions.ts`, `platform/http/endpoints.ts`. Addresses that the product serves begin with a slash. */
const NAME = /`(?!\/)([\w./@-]+\.(?:ts|tsx|mjs|sql|css))`/g;

/** Names that stand for any file of a kind, and files that are served under another name. */
const examples = /NNNN|^0042_contacts_helpers\.sql$|^tally\.mjs$/;

/** Names of files in documents that no file has. @param files paths from the root @param exists of a path from the root that is not among them */
export function documentFindings(
  documents: readonly { path: string; text: string }[],
  files: readonly string[],
  exists: (name: string) => boolean = () => false,
): string[] {
  const ends = new Set(files.flatMap(file => file.split('/').map((_, at, parts) => parts.slice(at).join('/'))));
  return documents.flatMap(({ path: document, text }) =>
    [...new Set([...text.matchAll(NAME)].map(([, name]) => name!))]
      .filter(name => !examples.test(name) && !ends.has(name.replace(/^(?:\.{1,2}\/)+/, '')) && !exists(name))
      .map(name => `${document} names ${name}, which is no file`),
  );
}

/** A word in code spans that only a program has: a function, a call, a value of it. */
const CAMEL = /^[a-z]+[A-Z]/;

/** Names in code spans of documents that no source file has: of functions, calls and values. @param sources the text of all of them */
export function unknownNames(documents: readonly { path: string; text: string }[], sources: readonly string[]): string[] {
  const known = new Set(sources.flatMap(text => text.match(/[A-Za-z_$][\w$]*/g) ?? []));
  return documents.flatMap(({ path: document, text }) => {
    const spans = [...text.replace(/```[\s\S]*?```/g, '').matchAll(/`([^`\n]+)`/g)].map(([, span]) => span!);
    // `findBy…` is the beginning of several.
    const names = spans.flatMap(span => span.match(/[A-Za-z_$][\w$]*(?!…|[\w$])/g) ?? []);
    return [...new Set(names)]
      .filter(name => CAMEL.test(name) && !known.has(name))
      .map(name => `${document} names ${name}, which no source file has`);
  });
}

/** Help articles link to pages; a test of the help centre follows their links. */
const helpArticles = /^apps\/server\/help\//;

/** Checks that documents name and link to files that are there and names of the sources, that decisions have their heads, that references to decisions lead to one, and that the core model is true. */
export async function checkDocumentNames(): Promise<string[]> {
  const files = await projectFiles(/\.(?:md|ts|tsx|mjs|sql|css|json|html|sh)$/);
  const written = files.filter(({ path: file }) => file.endsWith('.md') && !file.startsWith('docs/generated/') && !helpArticles.test(file));
  const decisions = files.filter(({ path: file }) => decisionFiles.test(file));
  const paths = files.map(each => each.path);
  const exists = (name: string): boolean => existsSync(path.join(root, name));
  const textOf = (name: string): string => files.find(({ path: file }) => file === name)?.text ?? '';
  return [
    ...documentFindings(written, paths, exists),
    ...unknownNames(
      written,
      files.filter(({ path: file }) => !file.endsWith('.md')).map(({ text }) => text),
    ),
    ...written.flatMap(document => deadLinks(document, exists)),
    ...decisionFindings(decisions, areasOf(paths)),
    ...deadReferences(
      files.filter(({ path: file }) => file !== 'tools/decisions.test.ts'),
      decisions,
    ),
    ...coreModelFindings(textOf('docs/core-model.md'), textOf('docs/generated/tables.md')),
  ];
}
