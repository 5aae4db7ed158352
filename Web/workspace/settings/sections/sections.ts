/** The sections of the settings, and what a person needs to see each. Loaded with the page: the navigation asks it. */
import { may, type PermissionHolder } from "../../../client/agent/permissions";

/** The permissions of which a person needs at least one, by section, in the order of the navigation. */
export const SECTION_NEEDS = {
  skills: ["settings.change"],
  people: ["seats.change", "people.change"],
  hours: ["settings.change"],
  rules: ["settings.change"],
  capacity: ["settings.change"],
  silence: ["settings.change"],
  automatic: ["settings.change"],
  canned: ["settings.change"],
  wrapUp: ["settings.change"],
  survey: ["settings.change"],
  brand: ["brand.change"],
  voice: ["settings.change"],
  calls: ["settings.change"],
  signIn: ["identityProvider.change"],
  privacy: ["settings.change", "retention.change"],
  profiles: ["people.change"],
  keys: ["keys.manage"],
  history: ["settings.change"],
  audit: ["audit.read"],
} as const;

/** The name of a section, as in `#/admin/skills`. */
export type SectionName = keyof typeof SECTION_NEEDS;

/** The sections that a person sees. */
export function sectionsFor(identity: { readonly agent: PermissionHolder }): readonly SectionName[] {
  const names = Object.keys(SECTION_NEEDS) as SectionName[];
  return names.filter((name) => SECTION_NEEDS[name].some((one) => may(identity, one)));
}
