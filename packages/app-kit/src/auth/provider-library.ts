import type { Environment } from '@portal/contract/shell/shell';
import { withRetries } from '@portal/ui/code/with-retries';
import type { PortalUserManager } from './portal-user-manager.ts';

/** The library that speaks with the provider. */
export type ProviderLibrary = {
  /** Loads it at the first call. */
  open: () => Promise<PortalUserManager>;
  /** The next call opens another: what this one knows of the provider may be wrong. */
  discard: () => void;
};

/** @param prepare gets the library before it is used */
export function createProviderLibrary(environment: Environment, prepare: (opened: PortalUserManager) => void): ProviderLibrary {
  let loading: Promise<PortalUserManager> | undefined;
  const load = async (): Promise<PortalUserManager> => {
    const { PortalUserManager: Manager } = await withRetries(() => import('./portal-user-manager.ts'))();
    const opened = new Manager(environment);
    prepare(opened);
    void opened.clearStaleState();
    return opened;
  };
  return {
    open: () =>
      (loading ??= load().catch((error: unknown) => {
        loading = undefined;
        throw error;
      })),
    discard() {
      void loading?.then(opened => opened.close());
      loading = undefined;
    },
  };
}
