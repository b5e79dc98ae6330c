import { Stack } from '@portal/ui';
import { BeforeAfter } from '@portal/ui/difference/BeforeAfter';
import { differencesOf, type Text } from './mail-text-words.ts';

/** The paragraphs in which two texts differ. */
export function TextChanges({ before, after }: { before: Text; after: Text }) {
  return (
    <Stack gap={8}>
      {differencesOf(before, after).map((change, index) => (
        <BeforeAfter key={`${index} ${change.after ?? ''}`} before={change.before ?? ''} after={change.after ?? ''} />
      ))}
    </Stack>
  );
}
