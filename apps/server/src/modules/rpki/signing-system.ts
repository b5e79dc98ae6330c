import { softwareSigner } from '../../adapters/software-signer.ts';
import type { OutsideSystem } from '../../platform/module.ts';
import type { CaSigner } from './signer.ts';

/** Keys sealed by SECRET_KEY in the database; made and used in threads of their own, where alone they are ever open. */
export const caSigner: OutsideSystem<CaSigner> = {
  name: 'RPKI signer',
  open: ({ config }) => softwareSigner({ secretKey: config.secretKey, secretKeyOld: config.secretKeyOld }),
  close: signer => signer.close(),
};
