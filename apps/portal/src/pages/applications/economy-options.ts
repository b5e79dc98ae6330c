import { economyWords } from '@portal/app-kit/words/organisation-words';

/** Returns economies as options by name, after an empty one. */
export function economyOptions(economies: readonly string[]): { value: string; label: string }[] {
  const named = economies.map(economy => ({ value: economy, label: economyWords(economy) }));
  return [{ value: '', label: 'Choose' }, ...named.sort((a, b) => a.label.localeCompare(b.label, 'en'))];
}
