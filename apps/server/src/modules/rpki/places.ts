import { printBase64Url } from '@portal/rpki-objects';
import type { Config } from '../../config.ts';
import type { Authority } from './authorities/authorities.ts';

/** Where things are published. */
export type Places = {
  rsync: string;
  /** Null if RRDP isn't at an https address: relying parties refuse others. */
  notification: string | null;
};

export const placesOf = ({ rpkiRsyncBase, rpkiRrdpBase }: Pick<Config, 'rpkiRsyncBase' | 'rpkiRrdpBase'>): Places => ({
  rsync: rpkiRsyncBase,
  notification: rpkiRrdpBase.startsWith('https://') ? `${rpkiRrdpBase}notification.xml` : null,
});

/** The directory of an authority: the same for all its keys. Members' directories are beside the registry's, not inside. */
export const directoryOf = ({ rsync }: Places, { kind, handle }: Pick<Authority, 'kind' | 'handle'>): string =>
  `${rsync}${kind === 'member' ? 'members/' : ''}${handle}/`;

/** The name of a key's files: its identifier in base64url. */
export const fileNameOf = (keyIdentifier: string): string => printBase64Url(Buffer.from(keyIdentifier, 'hex'));

/** Names of the certificates of trust anchors. */
export const trustAnchorFiles = { 'trust-anchor': 'ta.cer', as0: 'as0.cer' } as const;
/** The certificate of a trust anchor, which is on no manifest. */
export const trustAnchorUri = ({ rsync }: Places, kind: Authority['kind']): string =>
  `${rsync}${trustAnchorFiles[kind === 'as0' ? 'as0' : 'trust-anchor']}`;
