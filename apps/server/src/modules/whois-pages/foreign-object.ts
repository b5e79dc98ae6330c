import { type ClassName, isClassName, readKey } from '@portal/rpsl';
import { html } from '../../platform/http/html.ts';
import { type ConfiguredSource, foreignKeys, foreignSourceFacts, readForeign } from '../foreign-sources/index.ts';
import { searchField, sheet } from '../public-pages/index.ts';
import { wrongPage } from './answer-page.ts';
import type { Answered, Asking, Form } from './answers.ts';
import { foreignPermalink } from './foreign-permalink.ts';
import { objectsPart } from './object-text.ts';

/** An object of another registry, as an address here names it. */
export type ForeignAddress = { source: string; class: ClassName; shown: string; key: string };

/** Reads the address of such an object (`RADB/route/192.0.2.0/24AS64500`); null for what is none. */
export function readForeignAddress(text: string, sources: readonly ConfiguredSource[]): ForeignAddress | null {
  const [, source, name = '', shown = ''] = /^([A-Z][A-Z0-9-]*)\/([a-z0-9-]+)\/(.{1,255})$/.exec(text) ?? [];
  if (source === undefined || !isClassName(name) || !sources.some(each => each.name === source)) return null;
  const key = readKey(name, shown);
  return key && { source, class: key.class, shown: key.shown, key: key.key };
}

/** Answers with an object of another registry: its text, whose it is, and of when. */
export async function answerForeignObject({ place }: Asking, { source, shown, ...asked }: ForeignAddress, form: Form): Promise<Answered> {
  const { db, source: own } = place;
  const [found, [facts]] = await Promise.all([foreignKeys(db.read, source, [asked]), foreignSourceFacts(db.read, [source])]);
  const [object] = (await readForeign(db.read, found)).objects;
  const asOf = facts?.asOf ?? null;
  const whose = `An object of ${source}, another registry${asOf === null ? '' : `, as of ${asOf.slice(0, 16).replace('T', ' ')} UTC`}, without contacts and remarks.`;
  if (!object) {
    const problem = { why: `${source} has no ${asked.class} ${shown}.`, right: 'It may have been removed since. Ask that registry.' };
    if (form === 'page') return { status: 404, page: wrongPage(shown, problem) };
    return form === 'json'
      ? { status: 404, json: { error: `${problem.why} ${problem.right}` } }
      : { status: 404, text: `% ${problem.why}\n% ${problem.right}\n` };
  }
  if (form === 'json') return { status: 200, json: { source, type: object.class, key: object.shown, asOf, text: object.text } };
  if (form === 'text') return { status: 200, text: `% ${whose}\n\n${object.text}` };
  const address = foreignPermalink({ source, class: object.class, shown: object.shown });
  return {
    status: 200,
    page: html`${searchField()}<div class="answer"><div class="headline"><h1>${object.shown}</h1></div><p class="lead">${whose} ${own} doesn’t vouch for it, and can’t correct it.</p></div>${sheet(
      'data',
      `${source} data`,
      {
        head: html`<span class="push"><nav class="forms" aria-label="Other forms"><a href="${address}?as=text">Text</a><a href="${address}?as=json">JSON</a></nav></span>`,
        body: objectsPart([object.text], own),
      },
    )}`,
  };
}
