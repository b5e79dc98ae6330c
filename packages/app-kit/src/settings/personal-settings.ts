import type { PreferenceChange, Preferences as Kept, TableState } from '@portal/contract/identity/people';
import type { DateFormat } from '@portal/ui';
import { useSyncExternalStore } from 'react';
import { useKit } from '../kit/kit.ts';

const none: Kept = { tables: {} };
const never = () => () => undefined;
const nothing = () => none;

/** The person's settings and how to change them. */
export function usePreferences(): [Kept, (change: PreferenceChange) => void] {
  const { preferences } = useKit();
  const kept = useSyncExternalStore(preferences?.subscribe ?? never, preferences?.get ?? nothing);
  return [kept, change => preferences?.change(change)];
}

/** Returns the saved state of a table: columns, order, sorting, filters. The id is stable, as in `resources.ipv4`. */
export function useTableState(tableId: string): [TableState, (state: TableState) => void] {
  const [kept, change] = usePreferences();
  return [kept.tables[tableId] ?? {}, state => change({ table: { id: tableId, state } })];
}

/** Time zone and hour cycle of this device: looked up once, because the first use of a date format takes the browser long. */
let deviceFormat: Intl.ResolvedDateTimeFormatOptions | null = null;
const formatOfDevice = () => (deviceFormat ??= new Intl.DateTimeFormat(undefined, { hour: 'numeric' }).resolvedOptions());

/**
 * Time zone and hour cycle of settings; `system` and what is not known mean this device's. Both are looked up when they are first read: a page
 * without times does not wait for the browser's.
 */
export function dateFormatOf({ timeZone, hourCycle }: Pick<Kept, 'timeZone' | 'hourCycle'>): DateFormat {
  return {
    get timeZone() {
      return timeZone && timeZone !== 'system' && isTimeZone(timeZone) ? timeZone : formatOfDevice().timeZone;
    },
    get hourCycle() {
      if (hourCycle && hourCycle !== 'system') return hourCycle;
      const device = formatOfDevice().hourCycle;
      return device === 'h12' || device === 'h11' ? 'h12' : 'h23';
    },
  };
}

/** True for a name of the IANA time zone database this browser knows. */
export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/** Returns how this person reads times. */
export function useDateFormat(): DateFormat {
  return dateFormatOf(usePreferences()[0]);
}
