import fs from 'node:fs/promises';
import { parsePrefix, printPrefix } from '@portal/number-resources';
import { type OutsideReport, sendReport, watchOnce } from '../modules/status-pages/index.ts';
import { type CommandContext, CommandFailure, type CommandRuns } from './command.ts';

/** The functions of these commands; commands.ts declares their names, options and help. */
export const watchCommands = {
  watch: async context => {
    const file = context.args[0]!;
    const report = await askAll(context);
    // A reader sees the report before or this one, never half of it.
    await fs.writeFile(`${file}.new`, `${JSON.stringify(report)}\n`);
    await fs.rename(`${file}.new`, file);
  },
  'watch send': async context => {
    const { config, options, say } = context;
    if (config.watchToken === '')
      throw new CommandFailure('Set WATCH_TOKEN to the token of this watcher. Registry staff create it under Registry data.');
    const report = await askAll(context);
    const { status, words } = await sendReport(report, `${String(options['portal'] ?? config.appUrl)}/status/watch`, config.watchToken);
    if (status === null) throw new CommandFailure(`The report couldn’t be sent. ${words}`);
    if (status >= 300) throw new CommandFailure(`The report was refused with ${status}. ${words}`);
    say(words === '' ? 'Sent.' : words);
  },
} satisfies CommandRuns;

/** Asks the public services once, and says what each answered. */
async function askAll({
  config,
  profile,
  options,
  say,
}: Pick<CommandContext, 'config' | 'profile' | 'options' | 'say'>): Promise<OutsideReport> {
  const { network, portal = config.appUrl, whois = profile.whoisHost, dns, ...given } = options as Record<string, string | undefined>;
  const { rrdp = `${config.rpkiRrdpBase}notification.xml`, rsync = config.rpkiRsyncBase } = given;
  if (network === undefined) throw new CommandFailure('Name a prefix of the registry: --network 192.0.2.0/24.');
  const [, server, zone] = /^([^/]+)\/(.+)$/.exec(dns ?? '') ?? [];
  if (dns !== undefined && (server === undefined || zone === undefined))
    throw new CommandFailure('Name a name server and a zone: --dns 192.0.2.53/2.0.192.in-addr.arpa.');
  const [, host = whois, port = '43'] = /^(.+?):(\d+)$/.exec(whois) ?? [];
  const report = await watchOnce(
    {
      network: printPrefix(parsePrefix(network)),
      portal: `${portal}/`,
      rdap: `${portal}/rdap`,
      whois: { host, port: Number(port) },
      dns: server !== undefined && zone !== undefined ? { server, zone } : null,
      rrdp,
      rsync,
    },
    () => new Date(),
  );
  for (const { service, state, milliseconds, note } of report.checks)
    say(`${service.replace('outside-', '').padEnd(8)} ${state.padEnd(8)} ${milliseconds} ms${note === '' ? '' : `  ${note}`}`);
  return report;
}
