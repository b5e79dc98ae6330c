import { proofDays } from '@portal/contract/activity-log/activity-log';
import type { LogRoot } from '../../platform/database/index.ts';
import { type Content, html } from '../../platform/http/html.ts';
import { sheet } from '../public-pages/index.ts';

type Facts = { registryName: string; appUrl: string; roots: readonly LogRoot[] };

const count = (number: number): string => String(number).replace(/\B(?=(\d{3})+$)/g, '\u00a0');

const linesOf = ({ first, last }: LogRoot): number => Number(last) - Number(first) + 1;

/** The commands that prove one line with OpenSSL alone. */
const commands = `# The line, as it is in the proof, without a line end
printf '%s' "$line" > line

# Its leaf: SHA-256 of a zero byte and the line
node=$({ printf '\\000'; cat line; } | openssl dgst -sha256 -r | cut -c1-64)

# For each row, from "index" and "size": SHA-256 of a one byte, the node and the next hash of "path".
# A node at an odd place comes after the hash; the last of a row, at an even place, goes up as it is.
# In the next row the place is half as high.
node=$({ printf '\\001'; printf '%s%s' "$node" "$hash" | perl -ne 'print pack "H*", $_'; } | openssl dgst -sha256 -r | cut -c1-64)

# In the end it is the hash of the root
echo "$node"`;

const newest = ({ rootId, day, hash, link }: LogRoot, lines: number): Content => html`<dl class="root">
<div><dt>Root</dt><dd>${rootId}, of ${day}: ${lines === 1 ? '1 line' : `${count(lines)} lines`}</dd></div>
<div><dt>Hash</dt><dd><code data-copy="${hash}">${hash}</code></dd></div>
<div><dt>Link</dt><dd><code data-copy="${link}">${link}</code></dd></div></dl>`;

const table = (roots: readonly LogRoot[]): Content =>
  html`<div class="wide" tabindex="0" role="region" aria-label="Published roots"><table><thead><tr><th scope="col" class="num">Root</th><th scope="col">Published after</th><th scope="col">Lines</th><th scope="col">Hash</th></tr></thead><tbody>${roots.map(
    root =>
      html`<tr><th scope="row" class="num">${root.rootId}</th><td class="nowrap">${root.day}</td><td class="nowrap">${count(Number(root.first))} to ${count(Number(root.last))}</td><td><code>${root.hash}</code></td></tr>`,
  )}</tbody></table></div>`;

/** The page of published roots: what they prove, the newest, and how a member checks its own log with them. */
export const logPage = ({ registryName, appUrl, roots }: Facts): Content =>
  html`<div class="answer"><h1>Activity log</h1><p class="lead">Every change at ${registryName} is a line of one log. Each day’s lines come down to one hash, their root, which is published here. From then on no one can change or deny one of these lines without it being seen: the registry itself can’t either.</p></div>
<div class="stack">${sheet('newest', 'Newest root', {
    body: roots[0]
      ? newest(roots[0], linesOf(roots[0]))
      : html`<p class="root">No root yet. The first is published when the first day is over.</p>`,
    ...(roots[0] && { foot: 'Note the link elsewhere: it stands for all roots up to this one.' }),
  })}${sheet('check', 'Check your own log', {
    body: html`<ol class="lines"><li>In the portal, open <a href="${appUrl}/member-account-settings/activity-logs">Activity</a>, choose up to ${proofDays} days and press “Proof”. The file has your account’s lines of these days and, for each, the hashes that lead to a root.</li><li>Download the <a href="/log/roots.txt">roots</a>, or use the ones you noted.</li><li>Download <a href="/log/check-log.mjs">check-log.mjs</a>, read it, it’s short, and run <code>node check-log.mjs proof.json roots.txt</code>. Add the link that you noted last time: it shows that no root was replaced since.</li></ol>`,
    foot: `A proof shows that lines are in the log. It says nothing of days outside its period, and can’t show that none was left out: save one at least every ${proofDays} days and keep them. Other members’ lines are in it as hashes only, from which they can’t be guessed.`,
  })}${sheet('openssl', 'Without our program', {
    body: html`<pre class="commands" tabindex="0" aria-label="Commands">${commands}</pre>`,
    foot: html`The tree is that of certificate transparency (<a href="https://www.rfc-editor.org/rfc/rfc9162#section-2.1">RFC 9162, section 2.1</a>). A root’s link is SHA-256 of the link before it and the other columns of its line in roots.txt, divided by blanks; the first begins with 64 zeros. Roots are numbered from 1, and the first line of each follows the last one of the root before.`,
  })}${
    roots.length > 0 &&
    sheet('roots', 'Roots', {
      head: html`<span class="meta"><a href="/log/roots.txt">Text</a> · <a href="/log/roots.json">JSON</a></span>`,
      body: table(roots),
      foot: 'Days are in UTC. A root has at most 65 536 lines, so a busy day has several.',
    })
  }</div>`;
