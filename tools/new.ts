import { stubs } from './stubs.ts';
import { root } from './root.ts';

const usage = `npm run new endpoint <domain>.<verbNoun>     npm run new endpoint contacts.removeContact
npm run new page <name of its row> <folder>  npm run new page accessRequests contacts
npm run new task <module>.<verbNoun>         npm run new task billing.issueInvoices
npm run new module <name>                    npm run new module billing`;

const [kind = '', ...names] = process.argv.slice(2);
const write = Object.hasOwn(stubs, kind) ? stubs[kind as keyof typeof stubs] : undefined;
if (!write) {
  console.log(usage);
  process.exitCode = kind === '' || kind === '--help' ? 0 : 2;
} else {
  try {
    const { files, next } = await write(root, names);
    console.log(`Wrote ${files.join(', ')}.\n\nNext:`);
    for (const step of next) console.log(`- ${step}`);
  } catch (error) {
    console.error((error as Error).message);
    process.exitCode = 1;
  }
}
