import { projectFiles } from './project-files.ts';

type Manifest = Partial<Record<'dependencies' | 'devDependencies' | 'optionalDependencies', Record<string, string>>>;

/** Dependencies without a line in docs/dependencies.md, and lines whose dependency is gone. */
export function dependencyFindings(manifests: readonly Manifest[], page: string): string[] {
  const used = new Set(
    manifests
      .flatMap(({ dependencies, devDependencies, optionalDependencies }) =>
        Object.keys({ ...dependencies, ...devDependencies, ...optionalDependencies }),
      )
      .filter(name => !name.startsWith('@portal/')),
  );
  const listed = new Set(
    page
      .split('\n')
      .flatMap(line => (line.startsWith('| `') ? [...line.split('|')[1]!.matchAll(/`([^`]+)`/g)].map(([, name]) => name!) : [])),
  );
  return [
    ...[...used]
      .filter(name => !listed.has(name))
      .map(name => `docs/dependencies.md has no line for ${name}: what it is for, and what instead`),
    ...[...listed].filter(name => !used.has(name)).map(name => `docs/dependencies.md has a line for ${name}, which no package.json names`),
  ];
}

export async function checkDependencyLines(): Promise<string[]> {
  const manifests = (await projectFiles(/(^|^(apps|packages)\/[^/]+\/)package\.json$/)).map(({ text }) => JSON.parse(text) as Manifest);
  const [page] = await projectFiles(/^docs\/dependencies\.md$/);
  return dependencyFindings(manifests, page?.text ?? '');
}
