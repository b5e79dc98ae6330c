import { whoisPermalink } from '@portal/contract/whois/permalink';

/** The address of an object of another registry: its source comes first, so that it is never taken for one of ours. */
export const foreignPermalink = ({ source, class: name, shown }: { source: string; class: string; shown: string }): string =>
  whoisPermalink(`${source}/${name}/${shown}`);
