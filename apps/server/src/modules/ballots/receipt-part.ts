import type { StaffElection } from '@portal/contract/elections/elections';
import { type Content, html } from '../../platform/http/html.ts';
import { qrCode } from '../../platform/qr-code.ts';
import { inZone, spelled } from './ballot-tools.ts';

/** The receipt of a ballot that is cast: the code with the ways to keep it, and what it is good for, step by step. @param address where the ballots are published */
export function receiptPart({ electionId, title, windows, timeZone }: StaffElection, receipt: string, address: string): Content {
  const code = spelled(receipt);
  const published = windows.map(({ closesAt }) => closesAt).reduce((a, b) => (a > b ? a : b));
  const text = `Receipt of a ballot\n${title}\n\n${code}\n\nCheck it once voting is over: ${address}\n`;
  const command = `node tally.mjs < ballots-${electionId}.csv`;
  return html`<p>Keep the receipt of your ballot. It’s shown only here, and no one can find it for you.</p>
<div class="receipts" data-cast="${electionId}">${qrCode(text, `QR code with the receipt and the address to check it`)}
<div><p class="receipt" data-testid="receipt">${code}</p>
<div class="acts"><button class="btn second" type="button" data-copy="${code}" hidden>Copy</button><button class="btn second" type="button" data-print hidden>Print</button><a class="btn second" download="ballot-receipt-${electionId}.txt" href="data:text/plain;charset=utf-8,${encodeURIComponent(text)}">Save as file</a></div>
<p class="quiet" id="said" role="status"></p></div></div>
<ol class="next"><li>After <b class="nw">${inZone(published, timeZone)}</b> (${timeZone}) all ballots are published with their receipts at <a href="${address}">${address}</a>.</li>
<li>Enter your receipt there. It finds your ballot and shows that it’s counted as you cast it.</li>
<li>Count for yourself, with the published ballots and <a href="/ballots/tally.mjs">tally.mjs</a>:
<span class="command"><code>${command}</code><button class="btn second" type="button" data-copy="${command}" aria-label="Copy the command" hidden>Copy</button></span></li></ol>
<p class="quiet">Until the ballots are published, the receipt says nothing about your choice. Afterwards anyone who has it sees what the ballot chose, so keep your copy in a safe place.</p>
<p class="quiet">You can close this window. The portal already shows that your vote is cast.</p>`;
}
