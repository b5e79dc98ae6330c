import type { Command, CommandRuns, DeclaredCommand } from './command.ts';

/** Declares commands of one file, which is imported when one of them runs: help, a wrong word and a command that a running server takes need none of the program. */
const inFile = <Name extends string>(
  load: () => Promise<CommandRuns<Name>>,
  declared: readonly (DeclaredCommand & { name: NoInfer<Name> })[],
): Command[] => declared.map(command => ({ ...command, run: async context => (await load())[command.name](context) }));

/** The places that a watcher asks. */
const watchOptions = {
  network: { type: 'string' },
  portal: { type: 'string' },
  whois: { type: 'string' },
  dns: { type: 'string' },
  rrdp: { type: 'string' },
  rsync: { type: 'string' },
} as const satisfies DeclaredCommand['options'];

/** All commands of `npm run registry --`. */
export const commands: readonly Command[] = [
  ...inFile(
    async () => (await import('./database-commands.ts')).databaseCommands,
    [
      {
        name: 'status',
        summary: 'what runs on which database, what is due',
      },
      {
        name: 'migrate',
        summary: 'bring the schema up to date',
      },
      {
        name: 'backup',
        args: ['FILE'],
        summary: 'write a consistent copy of the whole database to a new file, and the files of documents beside it',
        help: ['The files are in the folder FILE.files.'],
      },
      {
        name: 'restore',
        alone: true,
        args: ['FILE'],
        options: { replace: { type: 'boolean' } },
        summary: 'fill an empty database from a backup, and put the files beside it back',
        help: ['--replace  replace what the database holds'],
      },
      {
        name: 'verify',
        help: ['The newest seal, noted elsewhere, shows later that nothing before it was changed.'],
        summary: 'check activities, history, whois journal, references, rules, sealed secrets and files, and hash every table',
      },
      {
        name: 'files move',
        summary: 'move all files to the store where FILES_STORE writes them, while the registry runs',
        help: [
          'Each is read back and compared before it is deleted where it was. Interrupted, it goes on where it was when it is run again.',
        ],
      },
      {
        name: 'copy',
        alone: true,
        args: ['URL'],
        summary: 'copy the whole database to an empty one (postgres://…) and prove it equal',
        help: ['Also: npm run db:copy -- postgres://…'],
      },
    ],
  ),
  ...inFile(
    async () => (await import('./profile-commands.ts')).profileCommands,
    [
      {
        name: 'profile',
        summary: 'print the profile of the registry, to start a file of one’s own from',
        help: ['A registry in production names each value that members read: docs/generated/profile.md.'],
      },
    ],
  ),
  ...inFile(
    async () => (await import('./watch-commands.ts')).watchCommands,
    [
      {
        name: 'watch',
        args: ['FILE'],
        options: watchOptions,
        summary: 'ask the public services once, from another network, and write what it saw to a file for the status page',
        help: [
          '--network …  a prefix that the registry holds, which whois and RDAP are asked about',
          '--portal …   address of the portal; APP_URL unless given. RDAP is asked there',
          '--whois …    host, or host:port, of port 43; that of the profile unless given',
          '--dns …      name server and zone, ADDRESS/ZONE, whose SOA is asked; not asked unless given',
          '--rrdp …, --rsync …',
          '             addresses of the RPKI repository; those of the settings unless given',
          'Run it every minute (docs/operating/monitoring.md). Publish the file by a web server there, and name its address in WATCH_URL here.',
        ],
      },
      {
        name: 'watch send',
        options: watchOptions,
        summary: 'ask the public services once, from another network, and send what it saw to the status page',
        help: [
          '--network …  a prefix that the registry holds, which whois and RDAP are asked about',
          '--portal …   address of the portal; APP_URL unless given. RDAP is asked there, and the report is sent there',
          '--whois …    host, or host:port, of port 43; that of the profile unless given',
          '--dns …      name server and zone, ADDRESS/ZONE, whose SOA is asked; not asked unless given',
          '--rrdp …, --rsync …',
          '             addresses of the RPKI repository; those of the settings unless given',
          'Run it every minute (docs/operating/monitoring.md), with the token of this watcher in WATCH_TOKEN. Registry staff create it under Registry data.',
        ],
      },
    ],
  ),
  ...inFile(
    async () => (await import('./demo-commands.ts')).demoCommands,
    [
      {
        name: 'demo load',
        alone: true,
        summary: 'load the demo registry',
      },
      {
        name: 'demo region',
        alone: true,
        options: {
          statistics: { type: 'string' },
          announcements: { type: 'string' },
          accounts: { type: 'string' },
          objects: { type: 'string' },
          zones: { type: 'string' },
          tickets: { type: 'string' },
          activities: { type: 'string' },
          seed: { type: 'string' },
        },
        files: ['statistics', 'announcements'],
        summary: 'make a registry of the size of a region around the demo registry',
        help: [
          '--statistics …     delegated-extended file (.gz or plain) with the holders and their numbers; made up unless given',
          '--announcements …  RIS whois dump or MRT table (.gz or plain); those of the region’s route objects unless given',
          '--accounts N       holders: all of the file, or 100 without one, unless given',
          '--objects N, --zones N, --tickets N, --activities N',
          '                   whois objects, reverse zones among them, tickets, lines of the log: in proportion to the accounts unless given',
          '--seed N           another seed makes other rows, the same one the same; 1 unless given',
          'Interrupted, it goes on where it was when it is run again with the same values.',
        ],
      },
      {
        name: 'demo reset',
        alone: true,
        options: { yes: { type: 'boolean' } },
        summary: 'delete everything in the database and load the demo registry',
        help: ['--yes  delete everything without asking'],
      },
    ],
  ),
  ...inFile(
    async () => (await import('./statistics-commands.ts')).statisticsCommands,
    [
      {
        name: 'import statistics',
        args: ['FILE'],
        options: { 'accept-wrong-summary': { type: 'boolean' }, 'skip-refused': { type: 'boolean' }, yes: { type: 'boolean' } },
        summary: 'import an RIR statistics exchange file (delegated or delegated-extended, .gz or plain)',
        help: [
          '--accept-wrong-summary  import a file whose summary lines don’t match its content',
          '--skip-refused          leave out lines that are refused instead of refusing the file',
          '--yes                   import without asking what closes delegations or makes a registry known; without it, and without a',
          '                        terminal to ask at, such a file only shows what it would do',
          'The whole file is one change: nothing is half imported. The same file again adds nothing.',
        ],
      },
      {
        name: 'export statistics',
        options: { format: { type: 'string' }, registry: { type: 'string' }, date: { type: 'string' }, out: { type: 'string' } },
        files: ['out'],
        summary: 'write the statistics exchange file of the ledger',
        help: [
          '--format …    delegated or delegated-extended; as the last imported file unless given',
          '--registry …  whose delegations, when the ledger has those of several registries',
          '--date …      YYYY-MM-DD: serial and last day of the file; those of the last imported file unless given',
          '--out …       a new file; standard output unless given',
        ],
      },
    ],
  ),
  ...inFile(
    async () => (await import('./bgp-commands.ts')).bgpCommands,
    [
      {
        name: 'import bgp',
        args: ['FILE'],
        options: { peers: { type: 'string' }, shrinks: { type: 'boolean' } },
        summary: 'import announcements: a RIS whois dump or an MRT table (.gz or plain)',
        help: [
          '--peers N    leave out announcements that fewer than N peers see; 1 unless given. Tables of RIS: 10 is usual',
          '--shrinks    import a table with less than half of the previous table’s announcements',
          'The whole file is one change: nothing is half imported. It replaces the table of its family.',
        ],
      },
    ],
  ),
  ...inFile(
    async () => (await import('./rpsl-commands.ts')).rpslCommands,
    [
      {
        name: 'import rpsl',
        args: ['FILE'],
        summary: 'load whois objects of an RPSL file (.gz or plain) as they are',
        help: [
          'Objects that break today’s rules are loaded and listed; what has no class and key is left out and listed.',
          'Of a hashed password in auth only the kind is kept (MD5-PW). Passwords don’t authenticate here.',
          'The whole file is one change. Objects that are not in the file stay. The same file again changes nothing.',
        ],
      },
      {
        name: 'dump rpsl',
        options: { to: { type: 'string' } },
        files: ['to'],
        summary: 'write the whois database as files, one for each class',
        help: [
          '--to …  a folder that is new, empty, or was written by this command: it becomes a link to the new files',
          'They never contain credentials of maintainers. Persons are left out or replaced by dummies, as the registry profile says (dumpPersonalData).',
        ],
      },
      {
        name: 'rotate mirror-key',
        options: { 'at-once': { type: 'boolean' } },
        summary: 'replace the key that signs what mirrors read (NRTMv4): announce a new one, or let it take over',
        help: [
          'The first call announces a new key; a call a week later lets it sign, and mirrors follow automatically.',
          '--at-once  the new key signs now, because the old one was compromised. Every mirror needs the new key.',
        ],
      },
    ],
  ),
  ...inFile(
    async () => (await import('./rpki-commands.ts')).rpkiCommands,
    [
      {
        name: 'rpki check',
        summary: 'judge the whole RPKI repository as a relying party does',
      },
      {
        name: 'rpki publish',
        alone: true,
        summary: 'publish what is due, and write RRDP and the tree for rsync; the role publisher does so without being asked',
      },
      {
        name: 'rpki ta init',
        args: ['FOLDER'],
        summary: 'on the machine of an offline trust anchor: make its key, sealed with RPKI_TA_PASSPHRASE',
      },
      {
        name: 'rpki ta request',
        args: ['FILE'],
        summary: 'write what the offline trust anchor has to sign',
      },
      {
        name: 'rpki ta sign',
        args: ['FILE'],
        options: { key: { type: 'string' }, to: { type: 'string' }, days: { type: 'string' } },
        files: ['key', 'to'],
        summary: 'on the machine of the trust anchor: sign a request',
        help: ['--key FOLDER  of its key', '--to FILE     the response', '--days 90     how long it holds, 7 to 365'],
      },
      {
        name: 'rpki ta import',
        args: ['FILE'],
        summary: 'publish what the offline trust anchor signed',
      },
      {
        name: 'rpki rsyncd',
        summary: 'print a configuration for rsyncd that serves the repository',
      },
    ],
  ),
  ...inFile(
    async () => (await import('./reverse-dns-commands.ts')).reverseDnsCommands,
    [
      {
        name: 'zones publish',
        alone: true,
        summary: 'write the reverse zones that changed; the role publisher does so without being asked',
      },
      {
        name: 'import zonelet',
        args: ['SOURCE', 'ZONE', 'FILE'],
        summary: 'import the delegations of another registry, such as a national one, into a reverse zone',
        help: [
          'SOURCE names the other registry; its earlier records of the zone are replaced.',
          'FILE has NS, DS, A and AAAA records with full names, below ZONE.',
        ],
      },
    ],
  ),
  ...inFile(
    async () => (await import('./mail-commands.ts')).mailCommands,
    [
      {
        name: 'mail-in',
        options: { sender: { type: 'string' }, recipient: { type: 'string' } },
        readsInput: 'bytes',
        failsWith: 75,
        summary: 'take in an e-mail from standard input: an answer in a ticket, or a new one',
        help: [
          '--sender …     who sent it, by the envelope; empty for a bounce',
          '--recipient …  the address it was delivered to, with what follows the plus sign',
          'Postfix, in master.cf: registry unix - n n - 2 pipe flags=Rq user=registry argv=/usr/bin/npm --silent --prefix /srv/registry run registry --',
          '                       mail-in --sender=${sender} --recipient=${original_recipient}',
          'The number is how many run at the same time: half as many as the machine has processors, so that a flood of mail holds up no page.',
          'A mail acts for the person of its sender’s address, so the mail server has to check senders (SPF, DKIM, DMARC). With MAIL_IN_AUTHSERV, the name in',
          'its Authentication-Results, what failed is refused; without it, each message is marked as from a sender that is not verified.',
          'It ends with 0 when the mail was taken in or ignored (loops, bounces and automatic answers are), with 77 and a sentence for the sender when it',
          'was refused, and with 75 when it has to be tried again.',
        ],
      },
    ],
  ),
  ...inFile(
    async () => (await import('./login-commands.ts')).loginCommands,
    [
      {
        name: 'token',
        args: ['NAME'],
        options: { mfa: { type: 'boolean' } },
        summary: 'print a bearer for a demo person, for curl and tests (demo mode only)',
        help: ['--mfa  as in a session with a second factor'],
      },
      {
        name: 'staff add',
        args: ['NAME', 'EMAIL'],
        options: { 'full-name': { type: 'string' }, roles: { type: 'string' } },
        readsInput: true,
        summary: 'add the first administrator of registry staff; the password is read from standard input',
        help: [
          '--full-name …  name shown to others; NAME unless given',
          '--roles …      ready-made roles, with commas between them; all that policy allows together unless given',
          'Others are invited on the page “Staff and roles” of the desk.',
        ],
      },
      {
        name: 'login disable',
        args: ['NAME'],
        summary: 'disable a login, end its sessions immediately, and withdraw its roles of registry staff',
        options: { 'last-administrator': { type: 'boolean' } },
        help: ['--last-administrator  also the last person who administers staff; add another one then'],
      },
      {
        name: 'login enable',
        args: ['NAME'],
        summary: 'let a disabled login sign in again, without the roles it had',
      },
      {
        name: 'login unfreeze',
        args: ['NAME'],
        summary: 'unfreeze a login after you verified its owner',
      },
      {
        name: 'login reset-mfa',
        args: ['NAME'],
        summary: 'remove the second factors of a login and end its sessions',
      },
      {
        name: 'keys rotate',
        summary: 'sign tokens with new keys from now on; no one is signed out',
      },
      {
        name: 'keys reseal',
        summary: 'seal with SECRET_KEY what was sealed with SECRET_KEY_OLD, so that the old key can go',
        help: [
          'To replace SECRET_KEY: set SECRET_KEY_OLD to it and SECRET_KEY to a new one, restart every process, then run this.',
          'All sessions continue. Remove SECRET_KEY_OLD a week later, when links in earlier e-mails have expired.',
        ],
      },
    ],
  ),
  ...inFile(
    async () => (await import('./billing-commands.ts')).billingCommands,
    [
      {
        name: 'billing begin',
        args: ['DAY'],
        summary: 'bill memberships whose term ends on DAY (2027-01-31) or later; those that ended before are left alone',
        help: [
          'It can start only once. The day is in the registry’s time zone, today at the earliest, so that no account is suspended immediately.',
        ],
      },
    ],
  ),
  ...inFile(
    async () => (await import('./fee-commands.ts')).feeCommands,
    [
      {
        name: 'fees',
        summary: 'print the fees as they were announced, to begin a file of others with',
      },
      {
        name: 'fees announce',
        args: ['FILE'],
        options: { 'dry-run': { type: 'boolean' } },
        summary: 'announce the fees of a JSON file, as “fees” prints it: those of one or several years',
        help: [
          '--dry-run  only say what they do to the bills of all accounts',
          'Announced fees are never changed. Staff announce them at the desk, where a second person approves; this is for the first ones of a registry and its past years.',
          'The whole file is one change: nothing is half announced.',
        ],
      },
    ],
  ),
];
