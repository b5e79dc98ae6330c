import { type Content, html } from '../../platform/http/html.ts';

/** The address in a sentence about another registry is a link. */
export const linked = (sentence: string): Content => {
  const [before = '', address, after = ''] = sentence.split(/(https?:\/\/\S+)/);
  return address === undefined ? sentence : html`${before}<a href="${address}">${address}</a>${after}`;
};
