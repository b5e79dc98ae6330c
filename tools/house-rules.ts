import { bareLoops } from './bare-loops.ts';
import { unheardErrors } from './error-listeners.ts';
import { functionsOver } from './function-lines.ts';
import { type ProjectFile, projectFiles } from './project-files.ts';
import { testsAlone } from './tests-alone.ts';

/** A rule that no other tool can check: a forbidden pattern, where it holds, and why. */
export type Rule = {
  name: string;
  because: string;
  /** Files it applies to. */
  where: RegExp;
  /** Files that may contain it. */
  except?: readonly (string | RegExp)[];
  /** Matches a forbidden line. */
  finds?: RegExp;
  /** Matches a forbidden file. */
  findsFile?: (file: ProjectFile) => boolean;
  /** Returns what is forbidden in a file, by line. */
  findsIn?: (file: ProjectFile) => readonly { line: number; words: string }[];
};

const source = /^(apps|packages|dev)\/.*\.(ts|tsx)$/;
const anyCode = /^(apps|packages|dev|e2e|tools)\/.*\.(ts|tsx|mjs|css|sql|html)$|^[^/]+\.(ts|mjs|cjs)$/;
const tests = /\.test\.tsx?$|^e2e\//;
const MAX_FUNCTION_LINES = 100;
/** These contain the words they look for. */
const self = /^tools\/house-rules(\.test)?\.ts$/;

export const rules: readonly Rule[] = [
  {
    name: 'settings in one place',
    because: 'settings are read and checked in apps/server/src/config.ts; each main.ts hands on the environment',
    where: source,
    // Programs that tests start inherit the machine's environment.
    except: ['apps/server/src/main.ts', 'apps/registry-command/src/main.ts', /^apps\/server\/test\//, /^dev\/independent\//, tests],
    finds: /\bprocess\.env\b/,
  },
  {
    name: 'one clock',
    because: 'the time is handed in (change.now, clock), so that a test can say what day it is',
    where: /^(apps\/server\/src|packages)\/.*\.tsx?$/,
    except: [
      // A log line and a program say when they run; the browser's clock is what a person sees.
      'apps/server/src/platform/log.ts',
      /^apps\/server\/src\/cli\//,
      /^packages\/(app-kit|ui)\//,
      tests,
    ],
    finds: /\bDate\.now\(|(?<!clock = \(\) => )\bnew Date\(\)/,
  },
  {
    name: 'sentences go on',
    because: 'the sentence of STALE is “Someone else changed …”: what it was begins with a small letter, unless it is a name',
    where: /^apps\/server\/src\/.*\.ts$/,
    finds: /'STALE', \{ what: '[A-Z]/,
  },
  {
    name: 'counts end now',
    because:
      'a limit that counts what is dated in the future, by a clock that was wrong, holds until that day: count between the two ends of `theLast` (clock-watch.ts)',
    where: /^apps\/server\/src\/.*\.ts$/,
    except: [tests],
    finds: /count\(\*\)(?!.*(expires|ends)_at).*\w_at > \$\{/,
  },
  {
    name: 'one parser of forms',
    because: 'a form of many fields costs seconds: fields are counted before they are read (platform/http/forms.ts)',
    where: /^apps\/server\/src\/.*\.ts$/,
    except: ['apps/server/src/platform/http/forms.ts', tests],
    finds: /new URLSearchParams\((body|request\.body)/,
  },
  {
    name: 'one module of days',
    because: 'days, durations and what is so much later than an instant come from packages/contract/src/days.ts',
    where: /^(apps|dev|e2e|tools|packages\/(contract|api-client|app-kit|ui))\/.*\.tsx?$/,
    except: [
      'packages/contract/src/days.ts',
      // Writes instants as PostgreSQL does.
      'apps/server/src/platform/database/column-values.test.ts',
    ],
    finds:
      /\b(86_?400_?000|3_?600_?000)\b|([-+*/]|\w = ) ?60_?000(;$|(?=[ ,)]))|\b24 \* (60|3_?600) \* \d|\b3_?600\)? \* 1_?000|\.slice\(0, 10\)|\bnew Date\(([\w.!]+\.getTime\(\)|Date\.now\(\)|Date\.parse\([\w.!]+\)) [-+] .*\)\.toISOString\(\)/,
  },
  {
    name: 'writes outside of an activity are listed',
    because: 'whatever changes the registry goes through `change`; what does not is counters and states of seconds, in these files only',
    where: /^(apps\/server\/src|packages\/contract)\/.*\.ts$/,
    except: [
      // Keys made ahead leave the table for good before they are used, whatever becomes of the change that uses them.
      'apps/server/src/modules/rpki/children/child-routes.ts',
      'apps/server/src/modules/rpki/authorities/one-time-keys.ts',
      // The door itself, its declaration in the contract, and what hands it to handlers that declare it.
      /^apps\/server\/src\/platform\/database\//,
      'packages/contract/src/endpoint.ts',
      'apps/server/src/platform/http/endpoints.ts',
      // Tasks and periodic work on their way, and remembered answers of a day.
      'apps/server/src/platform/tasks.ts',
      'apps/server/src/platform/worker.ts',
      'apps/server/src/platform/periodic-work.ts',
      'apps/server/src/platform/work-units.ts',
      'apps/server/src/platform/http/idempotency.ts',
      // Sessions, codes and tokens of the OpenID provider; counters of wrong passwords and codes; when something was used last.
      /^apps\/server\/src\/modules\/identity\/(attempts|factors|protocol|sign-in|sessions)\//,
      // Who has an object open in the editor: seconds of life.
      'packages/contract/src/whois/presence.ts',
      'apps/server/src/modules/whois/objects/presence.ts',
      // Number of taken account names that a person tried.
      'packages/contract/src/applications/applications.ts',
      'apps/server/src/modules/applications/drafts.ts',
      // Nothing at all: a text to be shown is too long for an address.
      'packages/contract/src/mail/mail-texts.ts',
      // That a change whose answer was lost is not made any more.
      'packages/contract/src/shell/change-outcomes.ts',
      // Counters of calls made with API keys.
      'apps/server/src/modules/api-keys/api-key-use.ts',
      // Deliveries of webhooks on their way, and how attempts went.
      'apps/server/src/modules/webhooks/webhook-events.ts',
      'apps/server/src/modules/webhooks/webhook-sending.ts',
      // Minutes in which services worked, outages of the database, and the newest report of each watcher.
      'apps/server/src/modules/status-pages/service-days.ts',
      'apps/server/src/modules/status-pages/sent-reports.ts',
      // Counts of answers about articles of the help, by anyone.
      'apps/server/src/modules/help-pages/help-answers.ts',
      // Copies of other registries' objects, and how far they are followed, each minute.
      'apps/server/src/modules/foreign-sources/copies.ts',
      // `registry reset` drops the whole schema.
      'apps/server/src/demo/registry.ts',
      tests,
    ],
    finds: /\bunrecorded(Endpoint)?\b/,
  },
  {
    name: 'one way to the storage of the device',
    because: 'browsers deny it to framed pages of another site: deviceStorage (app-kit/src/kit/device-storage.ts) answers there too',
    where: /^(apps\/(portal|desk|resource-manager)|packages\/(app-kit|ui))\/.*\.tsx?$/,
    except: [
      'packages/app-kit/src/kit/device-storage.ts',
      // Sign-in says that storage is blocked; open tabs are then unknown.
      'packages/app-kit/src/auth/portal-user-manager.ts',
      'packages/app-kit/src/auth/open-tabs.ts',
      'packages/app-kit/test/start-of-file.ts',
      tests,
    ],
    finds: /\blocalStorage\b/,
  },
  {
    name: 'one way to the address of a caller',
    because: 'request.address (platform/http/caller-address.ts) believes trusted proxies only, and is there when the connection is gone',
    where: /^apps\/server\/src\/.*\.ts$/,
    except: ['apps/server/src/platform/http/caller-address.ts', tests],
    finds: /\brequest\.ips?\b|x-forwarded-for'\](?! = )|trustProxy/,
  },
  {
    name: 'handlers have what they are handed',
    because: 'a handler of the contract writes through `change` and reads through `read`; the whole database would let a GET write',
    where: /^apps\/server\/src\/modules\/[\w-]+\/routes\.ts$/,
    // RDAP is no part of the contract: its answers are made here.
    except: ['apps/server/src/modules/rdap/routes.ts'],
    finds: /\bDatabase\b|\bdb\b/,
  },
  {
    name: 'limits are counted in turn',
    because:
      'changes at the same moment would exceed a limit together: refuseBeyond (platform/counted-limit.ts) counts them one after the other',
    where: /^apps\/server\/src\/modules\/.*\.ts$/,
    except: [
      // Counted in memory, where nothing comes between.
      'apps/server/src/modules/identity/sessions/session-events.ts',
      'apps/server/src/modules/api-keys/api-key-verifier.ts',
      'apps/server/src/modules/looking-glass/look-up.ts',
      // Counted by one statement, or below a lock of the person.
      'apps/server/src/modules/whois/maintainers/maintainers.ts',
      'apps/server/src/modules/contacts/link-requests.ts',
      'apps/server/src/modules/applications/drafts.ts',
      // Counted before the file arrives; few files of one person arrive together (platform/http/call-turns.ts).
      'apps/server/src/modules/documents/reception.ts',
      tests,
    ],
    finds: /'TOO_MANY_REQUESTS'/,
  },
  {
    name: 'one shape of ids',
    because: 'ids of rows have one shape: isRowId and rowNumber check a text, rowId a body or query (packages/contract/src/row-ids.ts)',
    where: /^(apps|packages)\/.*\.tsx?$/,
    except: ['packages/contract/src/row-ids.ts'],
    finds: /\/\^\\d\{1,15\}\$\//,
  },
  {
    name: 'no bare TODO',
    because: 'finish it, or leave it out and write it where work is planned',
    where: anyCode,
    finds: /\b(TODO|FIXME|XXX)\b/,
  },
  {
    name: 'strangers’ texts are read apart',
    because:
      'reading what strangers sent may take seconds: only files for threads (*-thread.ts) import its readers, and handlers ask for it before their transaction (platform/reading-apart.ts, afterReading; docs/decisions/0193-uploaded-texts-in-a-thread.md)',
    where: /^apps\/server\/src\/.*\.ts$/,
    except: [
      /-thread\.ts$/,
      // Readers that other readers use.
      'apps/server/src/platform/csv-cells.ts',
      /^apps\/server\/src\/modules\/billing\/bank\/(bank-file|bank-csv|camt)\.ts$/,
      /^apps\/server\/src\/modules\/(nir|customers|elections|routes)\/[\w-]+-(csv|file|lines)\.ts$/,
      // The demo registry reads what it wrote.
      'apps/server/src/modules/elections/demo.ts',
      // Names of errors and types only.
      /^apps\/server\/src\/modules\/rpki\/children\/child-(messages|reading)\.ts$/,
      tests,
    ],
    finds:
      /^(?!import type )(import|export|\}).* from '([^']*\/(csv-cells|camt|bank-csv|bank-file|attendance-file|assignment-csv|delegation-csv|entity-csv|import-lines|zone-file|calendar-reader|checklist-reading|child-judgement|child-queries)\.ts|saxes|csv-parse[^']*)'/,
  },
  {
    name: 'limits of bodies are those of routes',
    because:
      'the refusal (413) names the limit of the route, so a smaller one of a parser is not said: limitBodies (platform/http/body-limit.ts) limits the routes of a scope',
    where: /^apps\/server\/src\/.*\.ts$/,
    finds: /\bparseAs: .*\bbodyLimit\b/,
  },
  {
    name: 'streams are joined with pipeline',
    because: 'an error of the first stream of a.pipe(b) has no listener, and ends the process: pipeline hands it on',
    where: /^(apps|packages)\/.*\.ts$/,
    finds: /\.pipe\(/,
  },
  {
    name: 'errors of streams are heard',
    because:
      'a stream, socket, thread or program that fails without a listener throws where nothing awaits it: give it one for error, or hand it to pipeline or for await',
    where: /^(apps\/(server|registry-command)\/src|packages\/[\w-]+\/src)\/.*\.ts$/,
    except: [tests],
    findsIn: unheardErrors,
  },
  {
    name: 'rows fail alone',
    because:
      'a loop that waits for a change of each row ends at the first that fails, and again with each run, so that one row holds up all later ones: use eachAlone (platform/each-alone.ts), or catch',
    where: /^apps\/server\/src\/modules\/.*\.ts$/,
    except: [
      tests,
      // The demo registry is written once.
      /\/demo\.ts$/,
      // Parts of one act: of one person, payment, invoice, authority or query.
      'apps/server/src/modules/billing/issuing/issuing.ts',
      'apps/server/src/modules/billing/payments/joint-receipts.ts',
      'apps/server/src/modules/identity/account/session-routes.ts',
      'apps/server/src/modules/identity/factors/authenticators.ts',
      'apps/server/src/modules/rpki/children/child-judgements.ts',
      'apps/server/src/modules/whois/query/answer.ts',
      'apps/server/src/modules/whois/query/irr.ts',
      // Slices and deltas of one source, each of which goes on from the one before.
      'apps/server/src/modules/foreign-sources/follow.ts',
      // Rows of one change, each attempted alone in it.
      'apps/server/src/modules/announcements/notifying.ts',
      'apps/server/src/modules/data-quality/campaign-sending.ts',
      'apps/server/src/modules/whois/follows/follow-notices.ts',
      'apps/server/src/modules/whois/irt/irt-validation.ts',
      // Its order is policy: no one overtakes a request that fails.
      'apps/server/src/modules/requests/waiting-list/served-waiting-list.ts',
      // Reads the files of one ticket.
      'apps/server/src/modules/tickets/tracker-sync.ts',
    ],
    findsIn: bareLoops,
  },
  {
    name: 'one door to history',
    because: 'only database.change names the current activity',
    where: /\.tsx?$/,
    except: ['apps/server/src/platform/database/database.ts', tests],
    finds: /portal\.activity_id/,
  },
  {
    name: 'calls to the outside have their places',
    because:
      'the server calls only what the operator configured, from files read for that (docs/security-requirements.md S36); add a file here on purpose',
    where: /^apps\/server\/src\/.*\.ts$/,
    except: [
      // Keys of a foreign OpenID provider (ISSUER_URI).
      'apps/server/src/modules/identity/bearers/bearer.ts',
      'apps/server/src/modules/identity/bearers/provider-answer.ts',
      // Log-outs to the systems of CLIENTS_FILE.
      'apps/server/src/modules/identity/provider/logout.ts',
      // Other systems, of ended sessions, at the addresses of CLIENTS_FILE.
      'apps/server/src/modules/identity/sessions/other-systems.ts',
      // The server that has the embedded database, over a local socket in DATA_DIR.
      'apps/server/src/cli/command-socket.ts',
      // The calendar of events (EVENTS_CALENDAR_URL).
      'apps/server/src/adapters/events-calendar.ts',
      'apps/server/src/adapters/request-tracker.ts',
      // The mail server (SMTP_URL).
      'apps/server/src/adapters/post.ts',
      // Receivers of webhooks, on public addresses that are checked before the call.
      'apps/server/src/adapters/webhook-sender.ts',
      // The virus scanner (VIRUS_SCANNER_URL).
      'apps/server/src/adapters/virus-scanner.ts',
      // Routing registries of others that the operator mirrors (FOREIGN_SOURCES).
      'apps/server/src/adapters/mirrored-registry.ts',
      // The bucket of files (FILES_S3_URL).
      'apps/server/src/adapters/s3.ts',
      // Name servers of reverse zones, at the addresses that checks may ask, and resolvers (DNS_RESOLVERS).
      'apps/server/src/adapters/dns/client.ts',
      // The public services of the registry itself, which `registry watch` asks from another network, and its report (WATCH_URL).
      'apps/server/src/modules/status-pages/outside-checks.ts',
      'apps/server/src/modules/status-pages/outside-report.ts',
      // Routers of the profile, over local sockets.
      'apps/server/src/adapters/bird.ts',
      tests,
    ],
    finds:
      /\bfetch\(|\bhttps?\.request\(|\bfrom 'node:https'|\b(net|tls)\.connect\(|\bcreateConnection\(|\bcreateRemoteJWKSet\(|\bcreateTransport\(|\bfrom '(undici|node:dgram)'/,
  },
  {
    name: 'one door to whois',
    because:
      'whois objects are written for an account by submitForAccount (modules/whois/updates), which holds every step; leave one out by a named exception of admission.ts',
    where: /^apps\/server\/src\/.*\.ts$/,
    except: [
      'apps/server/src/modules/whois/submit/submit.ts',
      'apps/server/src/modules/whois/updates/submit-for-account.ts',
      // For the demo registry: it is written before its accounts have people with rights.
      'apps/server/src/modules/whois/demo.ts',
      'apps/server/src/modules/whois/index.ts',
      // The registry itself writes what a zone asks for with its own key: there is no account whose rights could be asked.
      'apps/server/src/modules/reverse-dns/checks/cds-following.ts',
      /^apps\/server\/src\/platform\//,
      tests,
    ],
    finds: /(?<![.\w])submit\(|\bfrom '[^']*\/submit\.ts'|\bsubmit as\b/,
  },
  {
    name: 'objects of other registries are asked for by their source',
    because:
      'what authorises, verifies, publishes, dumps, mirrors or validates the registry’s own objects must not see those of others (decision 350): queries on port 43 and the pages of whois ask for them, and nothing else',
    where: /^apps\/server\/src\/.*\.ts$/,
    except: [
      /^apps\/server\/src\/modules\/foreign-sources\//,
      'apps/server/src/modules.ts',
      'apps/server/src/serve.ts',
      /^apps\/server\/src\/modules\/whois\/query\/(answer|foreign-answer|help|irr|irr-sources|port-43|query-place|whois-server)\.ts$/,
      /^apps\/server\/src\/modules\/whois-pages\/(foreign-object|name-search|pages)\.ts$/,
      tests,
    ],
    finds: /\/foreign-sources\/|\bforeign_(?:object|source|copy)\b|'foreign(?:Object|Source|Copy)'/,
  },
  {
    name: 'code that is loaded later',
    because:
      'a line that breaks must not take the screen with it: later, optionalPart (app-kit/page/later), retryOrReload (app-kit/place/load-code) or withRetries (ui/code/with-retries) ask again',
    where: /^(apps\/(portal|desk|resource-manager)\/src|packages\/(app-kit|ui|api-client)\/src)\/.*\.tsx?$/,
    // The views of the applications: what makes them lazy wraps their loaders.
    except: [/^apps\/[\w-]+\/src\/views\.ts$/, tests],
    finds:
      /^(?!.*\b(later|optionalPart|retryOrReload|withRetries)\(\(?).*((?<!\btypeof )\bimport\((?!\.meta)|\blazy\((?!(retryOrReload|withRetries)\())/,
  },
  {
    name: 'forms stand on useForm',
    because:
      'useForm (packages/app-kit/src/form/use-form.ts) checks by the contract, shows refusals at their field and sends with Enter; a file with a control and a change has one (docs/decisions/0034-use-form.md)',
    where: /^apps\/[\w-]+\/src\/.*\.tsx$/,
    except: [
      // One confirmation before an act that takes nothing else.
      'apps/portal/src/pages/joining/AcceptInvitationPage.tsx',
      'apps/resource-manager/src/requests/OneClickPage.tsx',
      'apps/resource-manager/src/rpki/EnableRpki.tsx',
      // What is chosen is saved immediately.
      'apps/portal/src/pages/notifications/NotificationSettings.tsx',
      'apps/portal/src/pages/voting/Voters.tsx',
      'apps/resource-manager/src/shell/AlertDelivery.tsx',
      'apps/resource-manager/src/rpki/checklists/VerifyChecklist.tsx',
      // Parts of forms that others begin.
      'apps/resource-manager/src/whois/updates/BulkReview.tsx',
      'apps/desk/src/accounts/SendDocument.tsx',
      tests,
    ],
    findsFile: ({ text }) =>
      /\buseChange\(/.test(text) &&
      /<(?:TextInput|TextArea|Select|ComboBox|Checkbox|Switch|FileField|UploadField)\b/.test(text) &&
      !/\buseForm\(/.test(text),
  },
  {
    name: 'forms check by bodies',
    because:
      'built pages carry no schemas of queries and answers (tools/web/contract-in-browsers.ts): a form that checks by one works in tests and fails in browsers; give the endpoint a body, or the form a schema of its own',
    where: /^(apps\/(portal|desk|resource-manager)\/src|packages\/(app-kit|ui)\/src)\/.*\.tsx?$/,
    except: [tests],
    findsFile: ({ text }) =>
      [...text.matchAll(/^import (?:type )?\{([^}]*)\} from '@portal\/contract\//gm)]
        .flatMap(([, names]) => names!.match(/\b[a-z]\w*/g) ?? [])
        .some(name => new RegExp(`(?<!typeof )\\b${name}\\s*\\.\\s*\\w+\\s*\\.\\s*(?:query|answer)\\b`).test(text)),
  },
  {
    name: 'one form element',
    because:
      'Form (packages/app-kit/src/form/Form.tsx) shows problems, closes with Escape and never loses input; it takes the form of useForm',
    where: /^(apps\/[\w-]+\/src|packages\/app-kit\/src)\/.*\.tsx$/,
    except: [
      'packages/app-kit/src/form/Form.tsx',
      // It gives a second factor, which is never kept; Escape gives it up.
      'packages/app-kit/src/step-up/StepUpDialog.tsx',
      // Searches and calculators: their values go to the address, and they change nothing.
      'apps/desk/src/shell/FindForm.tsx',
      /^apps\/resource-manager\/src\/technical\//,
      'apps/resource-manager/src/resources/record/FindResource.tsx',
      'apps/resource-manager/src/whois/reverse-dns/AddZones.tsx',
      tests,
    ],
    finds: /<form\b/,
  },
  {
    name: 'no sleeping tests',
    because: 'a test waits for something it can see',
    where: tests,
    finds: /waitForTimeout|timers\/promises|new Promise\b.*\bsetTimeout\(.*, *[\d_]+\)/,
  },
  {
    name: 'shared processes',
    because: 'server tests share a process and its modules; one that changes them is listed in tools/tests-alone.ts',
    where: /^(apps\/server|dev)\/.*\.test\.ts$/,
    except: testsAlone,
    finds: /\bvi\.(mock|doMock|stubEnv|stubGlobal)\(|\bprocess\.chdir\(|\bprocess\.env\.\w+ = /,
  },
  {
    name: 'shared documents',
    because: 'web and pure tests share a process and its modules; hand in what is to differ, or spy on it',
    where: /^(packages|tools|apps\/(portal|resource-manager|desk))\/.*\.test\.tsx?$/,
    finds: /\bvi\.(mock|doMock|stubEnv|resetModules)\(|\bprocess\.chdir\(|\bprocess\.env\.\w+ = /,
  },
  {
    name: 'docstrings say what a function does',
    because: 'a docstring begins with a verb ("Returns …", "Locks …") or a noun, not with a question word',
    where: anyCode,
    finds: /^\s*\/?\*\*? (What|Whom|Whose|Whoever|The (thing|stuff|way))\b/,
  },
  {
    name: 'limits are called max',
    because: 'one word for one thing (docs/glossary.md): MAX_LISTED in a module, maxRoutesAtOnce in the contract',
    where: anyCode,
    finds: /\bconst (most[A-Z]|MOST_)/,
  },
  {
    name: 'functions fit on a screen',
    because: `a function of more than ${MAX_FUNCTION_LINES} lines has several purposes: give its steps or parts names, and files where they have nouns of their own`,
    where: /^(apps|packages|dev|tools)\/.*\.(ts|tsx)$/,
    except: [tests, /^(apps|packages)\/[\w-]+\/test\//],
    findsIn: file =>
      functionsOver(MAX_FUNCTION_LINES, file).map(({ name, line, lines }) => ({ line, words: `${name} has ${lines} lines` })),
  },
  {
    name: 'named exports',
    because: 'a name is found by searching; only pages and settings of tools are default exports',
    where: source,
    except: [/Page\.tsx$/, /\.config\.ts$/],
    finds: /^export default\b|\bexport \{[^}]*\bas default\b/,
  },
  {
    name: 'nothing of this machine',
    because: 'paths and hosts of one machine mean nothing on another',
    where: /\.(ts|tsx|mjs|cjs|json|md|css|html|sql|ya?ml|npmrc)$|^\.ci\/|^\.npmrc$/,
    finds: /(^|["'`\s(=:])\/(work|root|home\/\w+|Users\/\w+)\/|\bregistry\.npm(js|mirror)\.\w+|\b(artifactory|nexus)\b/i,
  },
  {
    name: 'suppressions say why',
    because: 'a rule is put aside only for a reason, on the same line',
    where: anyCode,
    finds: /(oxlint|eslint)-disable(?!.* -- \S)|@ts-(expect-error|ignore)(?![ :-]*\w)|biome-ignore(?![^:]*: *\S)/,
  },
  {
    name: 'files are nouns of the field',
    because: 'a drawer named after its shape is where nobody looks',
    where: source,
    // Named as the specification and the sign-in library name them.
    except: ['packages/contract/src/constants.ts', 'packages/app-kit/src/auth/portal-user-manager.ts'],
    findsFile: ({ path }) => /\/([\w-]+-)?(utils?|helpers?|services?|managers?|misc|common)\.tsx?$|\/(types|constants)\.tsx?$/i.test(path),
  },
  {
    name: 'names of files',
    because: 'components are PascalCase, everything else is kebab-case',
    where: source,
    findsFile: ({ path }) => !/\/([a-z0-9]+(-[a-z0-9]+)*|[A-Z][A-Za-z0-9]*)(\.(test|module|config))?\.tsx?$/.test(path),
  },
];

const takes = (place: string | RegExp, path: string): boolean => (typeof place === 'string' ? place === path : place.test(path));

/** Returns what a rule forbids in a file, one sentence each, whether or not the file is excepted. */
function violations({ name, because, finds, findsFile, findsIn }: Rule, file: ProjectFile): string[] {
  if (findsFile?.(file)) return [`${file.path}: ${name} (${because})`];
  const found = (findsIn?.(file) ?? []).map(({ line, words }) => `${file.path}:${line}: ${name} (${because}): ${words}`);
  if (!finds) return found;
  return file.text
    .split('\n')
    .flatMap((line, place) => (finds.test(line) ? [`${file.path}:${place + 1}: ${name} (${because}): ${line.trim().slice(0, 100)}`] : []));
}

/** Returns the violations in a file, one sentence each. */
export function findingsIn(file: ProjectFile): string[] {
  if (self.test(file.path)) return [];
  return rules.flatMap(rule =>
    rule.where.test(file.path) && !(rule.except ?? []).some(place => takes(place, file.path)) ? violations(rule, file) : [],
  );
}

/** Returns the exceptions that except nothing: their file is gone, is none that the rule is about, or has nothing that it forbids. */
export function staleExceptions(files: readonly ProjectFile[], all: readonly Rule[] = rules): string[] {
  return all.flatMap(rule =>
    (rule.except ?? [])
      // A test stands alone for other reasons too.
      .filter(
        place =>
          place !== tests &&
          !testsAlone.includes(String(place)) &&
          !files.some(file => takes(place, file.path) && rule.where.test(file.path) && violations(rule, file).length > 0),
      )
      .map(
        place =>
          `tools/house-rules.ts: the rule “${rule.name}” excepts ${String(place)}, where nothing is that it forbids. Delete the exception`,
      ),
  );
}

export async function checkHouseRules(): Promise<string[]> {
  const files = await projectFiles(/\.(ts|tsx|mjs|cjs|json|md|css|html|sql|ya?ml)$|^\.ci\/|^\.npmrc$/);
  return [...files.flatMap(findingsIn), ...staleExceptions(files)];
}
