import type { ConfiguredSource } from '../../foreign-sources/index.ts';
import { type QueryFlag, queryFlags } from './query-flags.ts';

/** Returns the answer to `help`: how to query, generated from the table of flags. */
export function helpText({
  host,
  source,
  foreign = [],
}: {
  host: string;
  source: string;
  foreign?: readonly ConfiguredSource[] | undefined;
}): string {
  const flags = (Object.values(queryFlags) as QueryFlag[]).map(({ short, long, argument, help }) => {
    const names = [...short.map(letter => `-${letter}`), ...long.map(word => `--${word}`)].join(', ');
    return `%   ${`${names}${argument ? ` ${argument}` : ''}`.padEnd(42)} ${help}\n`;
  });
  return [
    `% How to ask ${host} (source ${source})\n%\n`,
    '% One query a line: flags and a key, in any order. Flags may be joined (-rB).\n%\n',
    '% Keys: an address, prefix or range; AS64500; AS64500 - AS64510; a domain; 192.0.2.0/24AS64500 for a route;\n',
    '%   the name of a set, maintainer, irt, organisation or contact; a netname; words of a name; an e-mail address.\n%\n',
    ...flags,
    ...sourcesHelp(source, foreign),
    '%\n% Lines that start with ! are commands of the IRRd protocol, for bgpq4 and its kind.\n',
  ].join('');
}

/** Lines about the sources, where there are others than the registry’s own. */
function sourcesHelp(source: string, foreign: readonly ConfiguredSource[]): string[] {
  if (foreign.length === 0) return [];
  const defaults = foreign.flatMap(({ name, isDefault }) => (isDefault ? name : []));
  return [
    `%\n% Sources: ${source} is this registry's own. Mirrored from others: ${foreign.map(({ name }) => name).join(', ')}; -q sources says how far.\n`,
    `%   Without -s or -a, ${[source, ...defaults].join(' and ')} ${defaults.length === 0 ? 'is' : 'are'} asked. Of other registries only what routers are configured by is kept:\n`,
    '%   routes, sets, AS numbers, routers and maintainers, without contacts and remarks. In !i and !a, SOURCE::AS-SET asks that source alone.\n',
  ];
}
