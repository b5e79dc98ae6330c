import fs from 'node:fs/promises';
import { parsePrefix, printPrefix } from '@portal/number-resources';
import { watchOnce } from '../modules/status-pages/index.ts';
import { type CommandRuns, CommandFailure } from './command.ts';

/** The functions of these commands; commands.ts declares their names, options and help. */
export const watchCommands = {
  watch: async ({ config, profile, args, options, say }) => {
    const file = args[0]!;
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
    // A reader sees the report before or this one, never half of it.
    await fs.writeFile(`${file}.new`, `${JSON.stringify(report)}\n`);
    await fs.rename(`${file}.new`, file);
    for (const { service, state, milliseconds, note } of report.checks)
      say(`${service.replace('outside-', '').padEnd(8)} ${state.padEnd(8)} ${milliseconds} ms${note === '' ? '' : `  ${note}`}`);
  },
} satisfies CommandRuns;
