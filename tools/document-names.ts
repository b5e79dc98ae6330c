import { existsSync } from 'node:fs';
import path from 'node:path';
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

/** Checks that READMEs and documents name files that are there. */
export async function checkDocumentNames(): Promise<string[]> {
  const [documents, files] = await Promise.all([projectFiles(/^(?!docs\/generated\/).*\.md$/), projectFiles(/\.(?:ts|tsx|mjs|sql|css)$/)]);
  return documentFindings(
    documents,
    files.map(each => each.path),
    name => existsSync(path.join(root, name)),
  );
}
