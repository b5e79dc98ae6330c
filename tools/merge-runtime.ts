import { createHash } from 'node:crypto';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

/**
 * Puts the bundler's few helper functions into the file of React. The bundler keeps them in a file of their own, which every page, and every
 * framed page once more, would ask for. Names of other files stay: they come from what a file holds, the names of these two among it.
 * @throws Error when the build is not made of such files
 */
export async function mergeRuntime(folder: string): Promise<void> {
  const assets = path.join(folder, 'assets');
  const names = await readdir(assets);
  const runtime = names.find(name => /^rolldown-runtime-.*\.js$/.test(name));
  const react = names.find(name => /^react-.*\.js$/.test(name));
  if (!runtime || !react) throw new Error('The web build has no file of helpers or none of React: see tools/merge-runtime.ts.');
  const read = (name: string) => readFile(path.join(assets, name), 'utf8');
  const merged = mergedWith(await read(react), await read(runtime), runtime);
  const name = `react-${createHash('sha256').update(merged).digest('base64url').slice(0, 8)}.js`;
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !/\.(js|html|json)$/.test(entry.name)) continue;
    const file = path.join(entry.parentPath, entry.name);
    const text = await readFile(file, 'utf8');
    const changed = withoutRuntime(text, runtime, name).replaceAll(react, name);
    if (changed !== text) await writeFile(file, changed);
  }
  await writeFile(path.join(assets, name), merged);
  for (const old of [runtime, react]) for (const file of [old, `${old}.map`]) await rm(path.join(assets, file), { force: true });
}

/** React's file with the helpers in front of it; each is exported under its own name and the word `helper_`. */
export function mergedWith(react: string, runtime: string, runtimeName: string): string {
  const [, body, list] = /^([\s\S]*?);?export\{([^}]*)\};?\s*(?:\/\/#.*)?\s*$/.exec(runtime) ?? [];
  if (body === undefined || list === undefined) throw new Error(`${runtimeName} does not end with its exports.`);
  const pairs = pairsOf(list);
  const helpers = pairs.map(([, outside]) => `helper_${outside}`);
  const made = `const[${helpers.join(',')}]=(()=>{${body};return[${pairs.map(([inside]) => inside).join(',')}]})();`;
  const own = react.replace(importOf(runtimeName), (_, names: string) =>
    pairsOf(names)
      .map(([outside, inside]) => `const ${inside}=helper_${outside};`)
      .join(''),
  );
  return `${made}${own.replace(/\/\/#.*\s*$/, '').trimEnd()}\nexport{${helpers.join(',')}};\n`;
}

/** A text of the build that takes the helpers from React's file, whose name is `into`. */
export function withoutRuntime(text: string, runtimeName: string, into: string): string {
  return text
    .replace(
      importOf(runtimeName),
      (_, names: string) =>
        `import{${pairsOf(names)
          .map(([outside, inside]) => `helper_${outside} as ${inside}`)
          .join(',')}}from"./${into}";`,
    )
    .replace(new RegExp(`\\s*<link rel="modulepreload"[^>]*${runtimeName}[^>]*>`, 'g'), '')
    .replaceAll(runtimeName, into);
}

/** The names of an import or export: `r as e,t` is r as e, and t as t. */
const pairsOf = (list: string): [string, string][] =>
  list.split(',').map(each => {
    const [first = '', second = first] = each.trim().split(' as ');
    return [first, second];
  });

const importOf = (name: string): RegExp => new RegExp(`import\\{([^}]*)\\}from"\\./${name.replaceAll('.', '\\.')}";`);
