using System;
using System.Collections.Generic;
using Mono.Cecil;

/// <summary>
/// Makes a library of .NET Standard 2.0 of one that mcs compiled for Mono's own libraries: mcs has no reference assemblies
/// of it. Retarget.exe INPUT NETSTANDARD OUTPUT; fails if a type is not part of .NET Standard.
/// </summary>
internal static class Retarget
{
    private static int Main(string[] args)
    {
        ModuleDefinition facade = ModuleDefinition.ReadModule(args[1]);
        var standard = new HashSet<string>();
        foreach (ExportedType type in facade.ExportedTypes) standard.Add(type.FullName);

        ModuleDefinition library = ModuleDefinition.ReadModule(args[0]);
        AssemblyNameDefinition name = facade.Assembly.Name;
        var target = new AssemblyNameReference("netstandard", new Version(2, 0, 0, 0)) { PublicKeyToken = name.PublicKeyToken };
        int missing = 0;
        foreach (TypeReference type in library.GetTypeReferences())
        {
            if (type.IsNested) continue;
            type.Scope = target;
            if (standard.Contains(type.FullName)) continue;
            Console.Error.WriteLine(type.FullName + " is not part of .NET Standard.");
            missing += 1;
        }
        foreach (TypeReference type in PrimitivesOf(library.TypeSystem)) type.Scope = target;
        library.AssemblyReferences.Clear();
        library.AssemblyReferences.Add(target);
        library.Write(args[2]);
        return missing == 0 ? 0 : 1;
    }

    private static TypeReference[] PrimitivesOf(TypeSystem system)
    {
        return new[]
        {
            system.Object, system.Void, system.Boolean, system.Char, system.SByte, system.Byte, system.Int16, system.UInt16, system.Int32,
            system.UInt32, system.Int64, system.UInt64, system.Single, system.Double, system.IntPtr, system.UIntPtr, system.String,
        };
    }
}
