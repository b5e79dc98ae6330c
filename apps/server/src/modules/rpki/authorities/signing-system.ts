import { softwareSigner } from '../../../adapters/software-signer.ts';
import { pkcs11Signer } from '../../../adapters/pkcs11-signer.ts';
import type { OutsideSystem } from '../../../platform/module.ts';
import type { CaSigner } from './signer.ts';

/**
 * Keys sealed by SECRET_KEY in the database; made and used only in separate threads, the only place where they are open. With RPKI_PKCS11_MODULE those of the trust
 * anchor and the registry's authority are made in a hardware module and stay there.
 */
export const caSigner: OutsideSystem<CaSigner> = {
  name: 'RPKI signer',
  open: ({ config }) => {
    const software = softwareSigner({ secretKey: config.secretKey, secretKeyOld: config.secretKeyOld });
    const { rpkiPkcs11Module: module, rpkiPkcs11Token: token, rpkiPkcs11Pin: pin, rpkiPkcs11Environment: environment } = config;
    return module === '' ? software : pkcs11Signer({ module, token, pin, environment }, software);
  },
  close: signer => signer.close(),
};
