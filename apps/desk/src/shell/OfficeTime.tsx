import { useKit } from '@portal/app-kit';
import { DateFormatSetting, DateText } from '@portal/ui';
import { useContext } from 'react';

/** Where the clocks of a zone are, as a person names it: `Brisbane`. */
const placeOfZone = (timeZone: string): string => timeZone.slice(timeZone.lastIndexOf('/') + 1).replaceAll('_', ' ');

/** An instant on the clock of the registry’s office, which its promises are counted by, with the place: a reader elsewhere doesn’t take it for their own time. */
export function OfficeTime({ value }: { value: string }) {
  const {
    environment: { registryTimeZone: timeZone },
  } = useKit();
  const { hourCycle } = useContext(DateFormatSetting);
  return (
    <>
      <DateText value={value} shape="day-time" format={{ timeZone, hourCycle }} /> {placeOfZone(timeZone)}
    </>
  );
}
