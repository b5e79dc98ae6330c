import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { MINUTE_MS } from '@portal/contract/days';
import { decodePublicKey, keyIdOf, printHex } from '@portal/rpki-objects';
import { nodeCryptography } from '../modules/rpki/authorities/cryptography.ts';
import { type CaSigner, isInModule, moduleMark } from '../modules/rpki/authorities/signer.ts';

/** Where the module is: its library, the label of its token, the PIN of the user, and variables `NAME=value` that the library reads. */
export type Pkcs11 = { module: string; token: string; pin: string; environment: readonly string[] };

const LONGEST_MS = MINUTE_MS;

/**
 * Keys of the trust anchor and of the registry's authority in a hardware module; all others are `software`'s. The module is used through OpenSC's
 * `pkcs11-tool`, one call for each signature: a library of it in this process would be native code with the keys of everything else. The PIN is handed over
 * in the environment, where other users of the machine do not see it.
 */
export function pkcs11Signer({ module, token, pin, environment }: Pkcs11, software: CaSigner): CaSigner {
  const variables = Object.fromEntries(environment.map(each => [each.slice(0, each.indexOf('=')), each.slice(each.indexOf('=') + 1)]));
  const runTool = (args: readonly string[], input?: Uint8Array): Promise<Buffer> =>
    run(
      ['--module', module, '--token-label', token, ...args],
      { ...variables, PATH: '/usr/local/bin:/usr/bin:/bin', PKCS11_PIN: pin },
      input,
    );
  const signedIn = ['--login', '--pin', 'env:PKCS11_PIN'];
  return {
    createKeys: count => software.createKeys(count),
    createAuthorityKey: async kind => {
      if (kind !== 'trust-anchor' && kind !== 'registry') return software.createAuthorityKey(kind);
      const id = randomBytes(16).toString('hex');
      await runTool([...signedIn, '--keypairgen', '--key-type', 'rsa:2048', '--usage-sign', '--id', id, '--label', `rpki ${kind}`]);
      const publicKey = decodePublicKey(new Uint8Array(await runTool(['--read-object', '--type', 'pubkey', '--id', id])));
      return { publicKey, keyIdentifier: printHex(keyIdOf(publicKey, nodeCryptography)), sealed: Buffer.from(moduleMark + id) };
    },
    sign: async all => {
      const inModule = all.filter(({ sealed }) => isInModule(sealed));
      if (inModule.length === 0) return software.sign(all);
      const others = all.filter(({ sealed }) => !isInModule(sealed));
      const bySoftware = (others.length > 0 ? await software.sign(others) : []).values();
      const signatures: Uint8Array[] = [];
      // One after the other: a token has one session for this program.
      for (const each of all) {
        if (!isInModule(each.sealed)) {
          signatures.push(bySoftware.next().value!);
          continue;
        }
        const id = Buffer.from(each.sealed).toString('latin1').slice(moduleMark.length);
        const signature = await runTool([...signedIn, '--sign', '--mechanism', 'SHA256-RSA-PKCS', '--id', id], each.toBeSigned);
        if (signature.length !== 256) throw new Error(`The hardware module answered ${signature.length} bytes instead of a signature.`);
        signatures.push(signature);
      }
      return signatures;
    },
    close: () => software.close(),
  };
}

/** Runs pkcs11-tool. @throws Error with what it says, which never has the PIN */
function run(args: readonly string[], env: Record<string, string>, input: Uint8Array | undefined): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const program = spawn('pkcs11-tool', args, { env, stdio: ['pipe', 'pipe', 'pipe'], timeout: LONGEST_MS });
    const output: Buffer[] = [];
    let said = '';
    program.stdout.on('data', (chunk: Buffer) => output.push(chunk));
    program.stderr.on('data', (chunk: Buffer) => (said = (said + chunk.toString()).slice(-2_000)));
    program.on('error', error =>
      reject(
        (error as NodeJS.ErrnoException).code === 'ENOENT'
          ? new Error('pkcs11-tool is not installed. It is in the package opensc.')
          : error,
      ),
    );
    program.on('close', code =>
      code === 0
        ? resolve(Buffer.concat(output))
        : reject(new Error(`The hardware module refused. ${said.trim().split('\n').slice(-3).join(' ')}`)),
    );
    // A program that ends early is reported by its exit code.
    program.stdin.on('error', () => {});
    program.stdin.end(input);
  });
}
