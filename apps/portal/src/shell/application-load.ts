import { constants } from '@portal/contract/constants';

/**
 * The application-load signal (specification, section 9): a DOM event `application-load` on `document`, 30 ms after the portal has
 * started. Scripts of the registry's site, and tests, wait for it.
 */
export function signalApplicationLoad(target: EventTarget = document): void {
  setTimeout(() => target.dispatchEvent(new CustomEvent('application-load')), constants.applicationLoadSignalMs);
}
