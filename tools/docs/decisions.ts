import { type Decision, decisionFiles, readDecision } from '../decisions.ts';
import { projectFiles } from '../project-files.ts';

/** docs/decisions/README.md: the decisions by module, read from their heads. @throws Error for a page without a head */
export async function decisionsPage(): Promise<string> {
  const decisions = (await projectFiles(decisionFiles)).map(file => {
    const decision = readDecision(file);
    if (!decision)
      throw new Error(`${file.path} doesn't begin with "# NUMBER. TITLE", an empty line and "Module: NAME, …" (docs/decisions/README.md)`);
    return decision;
  });
  const modules = [...new Set(decisions.flatMap(each => each.modules))].sort();
  const line = ({ number, file, title, superseded }: Decision): string =>
    `- [${number}](${file}) ${title}${superseded && ` · ${superseded}`}`;
  return `${[
    '# Decisions',
    'One page for each choice that someone might undo later: what, why, what was given up. Numbers are never reused. The second line names the modules a decision is about, and what supersedes it:',
    '```\n# 27. Elections link to an outside voting system\n\nModule: elections. Superseded in part by [71](0071-voter-handover.md)\n```',
    'Titles are what a reader would search for. Figures belong in [performance](../performance.md). The list below is written by `npm run docs`.',
    ...modules.flatMap(name => [
      `## ${name}`,
      decisions
        .filter(each => each.modules.includes(name))
        .map(line)
        .join('\n'),
    ]),
  ].join('\n\n')}\n`;
}
