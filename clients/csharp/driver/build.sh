#!/bin/sh
# Builds the driver of the C# kit: sh driver/build.sh FOLDER, in clients/csharp, writes FOLDER/driver.exe.
# mcs knows C# up to 7.2, so nothing newer slips in.
set -eu
mcs -langversion:7.2 -warn:4 -warnaserror -optimize+ -r:System.Net.Http.dll -out:"$1/driver.exe" Loadout.cs driver/Driver.cs
