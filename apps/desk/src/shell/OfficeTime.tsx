import { useKit } from '@portal/app-kit';
import { placeOfZone } from '@portal/contract/days';
import { DateFormatSetting, DateText } from '@portal/ui';
import { useContext } from 'react';

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
