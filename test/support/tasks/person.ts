/** What people do in the console while a task is played: small acts that several tasks share. */
import type { Locator, Page } from 'playwright-core';
import { settled } from '../browser/screens.js';

/** Folder for a picture of each step; null: none are taken. */
export const shots: string | null = process.env['LOADOUT_SOAK_SHOTS'] ?? null;

export const dialogOf = (page: Page): Locator => page.getByRole('dialog');

export const editorOf = (page: Page): Locator =>
  page.getByRole('textbox', { name: 'Text of version 0.0.0' });

export async function open(page: Page, link: string | RegExp): Promise<void> {
  await page.getByRole('link', { name: link }).first().click();
  await settled(page);
}

/** Presses a button of the page, and waits for its dialog. */
export async function ask(page: Page, name: string | RegExp): Promise<void> {
  await page.getByRole('button', { name }).first().click();
  await dialogOf(page).waitFor();
}

/** Presses a button of the dialog, and waits until the dialog has closed. */
export async function agree(page: Page, name: string | RegExp): Promise<void> {
  await dialogOf(page).getByRole('button', { name, exact: true }).click();
  await dialogOf(page).waitFor({ state: 'detached' });
}

/**
 * Presses Publish in the dialog, and waits until players get it.
 * @param revision that it becomes
 */
export async function publish(page: Page, revision: number): Promise<void> {
  await agree(page, 'Publish');
  await page.getByText(`Live r${revision}`).first().waitFor();
}

/** Replaces the text in the editor, as a paste does. */
export async function paste(page: Page, text: string): Promise<void> {
  await editorOf(page).click();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.insertText(text);
}
