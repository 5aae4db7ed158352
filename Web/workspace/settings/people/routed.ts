/** Which people routing gives the conversations of a skill. Pure. */
import type { Seat } from "../settings-model";
import { isOff, type Person } from "./person";
import { ROUTED_WITHOUT_SEAT } from "./roles";

/** Whether the person gets conversations where the brand gave them no seat: agents get those of every skill. */
export const isRoutedWithoutSeat = ({ role }: Pick<Person, "role">): boolean => ROUTED_WITHOUT_SEAT.includes(role);

/** What is wrong with who has a skill: no one has it, or no one of those who have it may answer. */
export type StaffProblem = "nobody" | "readOnly" | undefined;

/** - `readOnly`: the people whose profile does not let them answer. */
export function staffProblem(
  skill: string,
  people: readonly Person[],
  seats: readonly Seat[],
  readOnly: ReadonlySet<string>,
): StaffProblem {
  const staff = people.filter((person) => {
    if (isOff(person) || person.invited === true) return false;
    const seat = seats.find(({ agent }) => agent === person.id);
    return seat === undefined ? isRoutedWithoutSeat(person) : seat.skills.includes(skill);
  });
  if (staff.length === 0) return "nobody";
  return staff.every(({ id }) => readOnly.has(id)) ? "readOnly" : undefined;
}
