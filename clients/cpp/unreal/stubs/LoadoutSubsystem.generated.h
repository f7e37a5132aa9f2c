/** Unreal generates this. */
#pragma once
