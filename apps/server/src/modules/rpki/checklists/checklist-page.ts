import type { Profile } from '../../../profile.ts';
import { largestChecklist } from '@portal/contract/rpki/checklists';
import type { FastifyInstance } from 'fastify';
import type { Read } from '../../../platform/database/index.ts';
import { addressGroup } from '../../../platform/line-server.ts';
import { html } from '../../../platform/http/html.ts';
import { publicPage, sendPage } from '../../../platform/http/public-page.ts';
import { verifyChecklist } from './checklist-verification.ts';

type Options = { read: Read; profile: Profile; styleSheet: string; script: string; clock: () => Date };

/**
 * /checklists: anyone who received files with a signed checklist (RFC 9323) can verify them here without signing in. The browser hashes the files;
 * only the checklist is sent, and it isn't stored.
 */
export function checklistPage(app: FastifyInstance, { read, profile, styleSheet, script, clock }: Options): void {
  const framed = publicPage({ profile, area: 'RPKI', styleSheet, script, listed: true });
  const page = (): string =>
    framed(
      'Verify a signed checklist',
      html`<p>A checklist says that the holder of number resources vouches for files: a letter of authority, a contract, a configuration. Check here that ${profile.registryName} certifies the holder, and that the files are the ones that were signed.</p>
<noscript><p class="missing">This page compares files in your browser, which takes scripts. Without them, <span class="mono">rpki-client -f FILE.sig</span> verifies a checklist, and <span class="mono">sha256sum</span> prints the hashes of files.</p></noscript>
<form id="verify" hidden>
<div class="field"><label for="files">The .sig file and the files it is about</label>
<input class="files" id="files" name="files" type="file" multiple aria-describedby="privacy"></div>
<p class="quiet" id="privacy">The files stay in your browser: only the .sig file is sent.</p>
</form>
<div id="verdict" role="status" aria-live="polite"></div>`,
    );
  app.get('/checklists', (_request, reply) => sendPage(reply, 200, page()));

  void app.register((scope, _options, done) => {
    scope.addContentTypeParser('application/rpki-checklist', { parseAs: 'buffer' }, (_request, body, parsed) => parsed(null, body));
    scope.post('/checklists', { bodyLimit: Math.floor((largestChecklist * 3) / 4) }, async (request, reply) => {
      const object = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
      const verified = await verifyChecklist(
        read,
        { object: object.toString('base64') },
        { now: clock(), sender: addressGroup(request.address) },
      );
      return reply.header('cache-control', 'no-store').send(verified);
    });
    done();
  });
}
